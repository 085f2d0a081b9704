// A property of no use, for registry_test.sh: with its words, the two files that adding a property takes.
#include "checker/properties/dummy_property.hpp"
#include "checker/property.hpp"

namespace holdfast {
namespace {

class DummyProperty : public Property {
 public:
  explicit DummyProperty(const PropertyContext&) {}
  PropertyVerdict finish() override { return {}; }
};

}  // namespace

extern const PropertyType property_dummy_property;
const PropertyType property_dummy_property{.words = &words_dummy_property, .make = make_property<DummyProperty>};

}  // namespace holdfast
