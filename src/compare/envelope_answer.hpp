// What the trials at one amount say together: holds, violated, or undecided with the reason. Pure.
//
// Judged are the properties that are about safety (all but progress), or one that is asked for. A trial holds when
// none of them is violated or undecided, exclusion (and the resource) really hold, and the dangerous moment came: whom
// the fault struck held the lock meanwhile, or asked for it while another held it. A fault that was not proved makes
// the trial an error, and the amount undecided.
#pragma once

#include <string>
#include <vector>

#include "artifact/envelope.hpp"
#include "compare/trial_record.hpp"

namespace holdfast {

std::vector<std::string> envelope_properties(const std::string& only);  // empty: all about safety; throws BadInput

// How long the fault was to last; 0 where the amount says something else.
struct AskedLength {
  std::string fault;
  std::int64_t lasts_ms = 0;
};

EnvelopePoint point_of(std::int64_t amount, const AskedLength& asked, const std::vector<TrialRecord>& trials,
                       const std::vector<std::string>& properties);

}  // namespace holdfast
