// A property of no use, for registry_test.sh: the one file that adding a property takes.
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
const PropertyType property_dummy_property{"says nothing", "", "", make_property<DummyProperty>};

}  // namespace holdfast
