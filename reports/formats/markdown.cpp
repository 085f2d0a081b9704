// summary.md: the run on one page of Markdown, with links to its files. GitHub's job summary is the same without links.
#include "reports/format.hpp"
#include "reports/summary_markdown.hpp"

namespace holdfast {
namespace {

std::string markdown_of_run(const FormatInput& in) {
  return summary_markdown(in.page, Links::files).text();
}

}  // namespace

extern const FormatType format_markdown;
const FormatType format_markdown{.about = "a summary in Markdown", .file = "summary.md", .of_run = markdown_of_run};

}  // namespace holdfast
