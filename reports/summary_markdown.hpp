// The run as a page of Markdown: the sentence, the matrix, each cell that is not as expected with its story and the
// command that repeats it, the faults that were proved.
//
//   append_to(summary_file, summary_markdown(page, Links::none));
//
// Lists the first of many such cells and counts the rest, so that the text stays below GitHub's limit (1 MiB).
#pragma once

#include <cstdint>

#include "reports/markdown_text.hpp"
#include "reports/page.hpp"

namespace holdfast {

enum class Links : std::uint8_t { none, files };  // files: to what lies beside it in the run's folder

Markdown summary_markdown(const PageInput&, Links links);

}  // namespace holdfast
