// The page of the locks, as Markdown: of each lock what it does, its flaws, its worst case step by step, the cells that
// are expected to break it, and what to use instead.
//
//   std::fputs(lock_page(load_all("scenarios")).c_str(), stdout);
//
// Everything on it comes from the locks' files (lock/lock_texts.hpp, statements) and from the scenarios; docs/locks.md
// is its text.
#pragma once

#include <string>
#include <vector>

#include "artifact/scenario.hpp"

namespace holdfast {

std::string lock_page(const std::vector<Scenario>& scenarios);

}  // namespace holdfast
