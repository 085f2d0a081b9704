// `holdfast run generated --lock NAME`: a suite that is made for a lock, while the run goes on.
//
// The first scenario shows which statements the lock sends; the others are made from that. On --resume the stored
// history of the first makes the same suite again.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

#include "cli/run_flags.hpp"
#include "generate/generated_suite.hpp"
#include "suite/suite.hpp"

namespace holdfast {

bool generates(const RunFlags& flags);

// Throws BadInput: --lock without the suite `generated`, or the other way round, or beside other suites.
void check_generated(const RunFlags& flags);

// How many cells are known before the run, all of them checked; throws BadInput.
std::size_t check_cells(const RunFlags& flags, const SuiteOptions& options);

// `options` has the first scenario of each lock.
RunVerdict run_generated(const RunFlags& flags, const SuiteOptions& options,
                         const std::function<void(const SuiteProgress&)>& progress,
                         const std::atomic<bool>& interrupted);

}  // namespace holdfast
