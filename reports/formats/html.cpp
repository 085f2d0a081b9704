// report.html: the page for people (page.hpp).
#include "reports/format.hpp"

namespace holdfast {
namespace {

std::string page_of_run(const FormatInput& in) {
  return html_page(in.page);
}

}  // namespace

extern const FormatType format_html;
const FormatType format_html{
    .about = "the report page, a single file that opens offline", .file = "report.html", .of_run = page_of_run};

}  // namespace holdfast
