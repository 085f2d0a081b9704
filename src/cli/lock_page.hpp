// The page of the locks, as Markdown: of each lock what it does, its flaws, its worst case step by step, the cells that
// are expected to break it, and what to use instead.
//
//   print_file(lock_page(load_all("scenarios"), load_suite("adapters/scenarios")));
//
// Everything on it comes from the locks' files (lock/lock_texts.hpp, statements), of those in other languages from
// their lock.json too, and from the scenarios; docs/locks.md is its text.
#pragma once

#include <string>
#include <vector>

#include "artifact/scenario.hpp"

namespace holdfast {

std::string lock_page(const std::vector<Scenario>& scenarios, const std::vector<Scenario>& of_adapters);

}  // namespace holdfast
