// What a comparison comes to, in a few sentences: which variant broke and how badly, which did not, and what that
// costs.
//
//   for (const auto& line : conclusions(comparison)) ...
//
//   insert_lease: data damaged under quick/pause.
//   fenced_lease: two believed at once under quick/pause; the data is safe (stale writes refused: 3).
//   get_lock: nothing broke.
//   Longest time without service: get_lock 19 ms, fenced_lease 1,853 ms, insert_lease 2,551 ms.
//
// It adds nothing to the table below it, and judges nothing: "nothing broke" is said only where something was judged in
// every scenario and held; what nobody could judge is told.
#pragma once

#include <string>
#include <vector>

#include "artifact/comparison.hpp"

namespace holdfast {

std::vector<std::string> conclusions(const Comparison&);

}  // namespace holdfast
