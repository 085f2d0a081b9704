// Threads that do one kind of work side by side.
//
//   side_by_side(jobs, [&](int) { while (auto next = take()) execute(*next); });
//
// All have ended when it returns, whatever happens. What one of them throws is thrown again then, the first of several.
// Where the machine allows no more threads those that are there do the work: it takes longer, no more.
#pragma once

#include <functional>

namespace holdfast {

// Calls `work` with 0 .. jobs - 1, each on a thread of its own. Throws when there is not even one: std::system_error,
// or Unavailable where threads are forbidden.
void side_by_side(int jobs, const std::function<void(int)>& work);

}  // namespace holdfast
