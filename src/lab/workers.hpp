// Runs one kind of work in parallel threads.
//
//   side_by_side(jobs, [&](int) { while (auto next = take()) execute(*next); });
//
// All threads have ended when it returns. An exception in one of them is rethrown then, the first of several. If the
// machine allows fewer threads, those that exist do all the work.
#pragma once

#include <functional>

namespace holdfast {

// Calls `work` with 0 .. jobs - 1, each in its own thread. Throws if not even one can be started: std::system_error, or
// Unavailable if threads are forbidden.
void side_by_side(int jobs, const std::function<void(int)>& work);

}  // namespace holdfast
