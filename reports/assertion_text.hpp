// Assertions of the locks' authors in a run, in words. One that was never reached is not a pass: the tests did not
// exercise what its author asked for.
//
//   for (const auto& answer : assertion_answers(run)) ...
//
//   Assertions of my_lock: 2 of 3 were reached. Never reached: sometimes "a retry". ...
#pragma once

#include <string>
#include <vector>

#include "artifact/run_verdict.hpp"
#include "reports/html.hpp"

namespace holdfast {

// Locks with assertions, in the order of the run's records.
std::vector<std::string> asserting_locks(const RunVerdict&);

// The assertions of a lock that no trial reached: `sometimes "a retry"`.
std::vector<std::string> unreached_of(const RunVerdict&, const std::string& lock);

// "sometimes "a retry", reached "a fallback" and 3 more"
std::string some_assertions(const std::vector<std::string>& assertions);

// One answer for each lock with assertions.
std::string assertion_answer(const RunVerdict&, const std::string& lock);
std::vector<std::string> assertion_answers(const RunVerdict&);

// The table of a page: each assertion, its evaluations, and whether it was reached.
void write_assertions(const RunVerdict&, HtmlWriter& out);

}  // namespace holdfast
