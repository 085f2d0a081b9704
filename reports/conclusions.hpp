// Conclusions of a comparison, in a few sentences: the variants that broke and how badly, those that did not, and the
// cost of that.
//
//   for (const auto& line : conclusions(comparison)) ...
//
//   insert_lease: data damaged under quick/pause.
//   fenced_lease: two believed at once under quick/pause; the data is safe (stale writes refused: 3).
//   get_lock: nothing broke.
//   Longest time without service: get_lock 19 ms, fenced_lease 1,853 ms, insert_lease 2,551 ms.
//
// They add nothing to the table below them, and judge nothing: "nothing broke" is used only if it was judged in every
// scenario whether two held at once, and held; other scenarios are named.
#pragma once

#include <string>
#include <vector>

#include "artifact/comparison.hpp"

namespace holdfast {

std::vector<std::string> conclusions(const Comparison&);

// "2 broke a promise", "nothing broke", "nothing broke where it was judged": of all variants; empty: nothing was
// judged.
std::string broken_words(const Comparison&);

}  // namespace holdfast
