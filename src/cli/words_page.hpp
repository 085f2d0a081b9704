// The words of a verdict, defined where people read them: the properties, and the kinds of a violation.
#pragma once

#include <string>

namespace holdfast {

std::string words_section();  // of a Markdown page

}  // namespace holdfast
