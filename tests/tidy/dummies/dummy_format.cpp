// A format of no use, for registry_test.sh: the one file that adding a format takes.
#include "reports/format.hpp"

namespace holdfast {
namespace {

std::string dummy_of_run(const FormatInput& in) {
  return in.page.found.run.sentence;
}

}  // namespace

extern const FormatType format_dummy_format;
const FormatType format_dummy_format{.about = "says one thing", .file = "dummy.txt", .of_run = dummy_of_run};

}  // namespace holdfast
