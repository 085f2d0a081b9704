// The words of a verdict, defined where people read them: the properties, and the kinds of a violation.
#pragma once

#include <string>
#include <vector>

namespace holdfast {

std::string words_section();  // of a Markdown page

// What a kind of violation means: "the earlier holder went on after its lease". Empty: no kind of a lock's violation.
std::string kind_meaning(const std::string& kind);

std::vector<std::string> promisable_kinds();  // of all properties that a lock may promise, each once

}  // namespace holdfast
