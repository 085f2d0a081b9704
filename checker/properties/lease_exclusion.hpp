// The words of lease_exclusion; its rule is in lease_exclusion.cpp.
#pragma once

#include "artifact/property_words.hpp"
#include "checker/renewal_kinds.hpp"

namespace holdfast {

inline const PropertyWords words_lease_exclusion{
    .summary = "a key has at most one valid grant at any time",
    .concerns = Concerns::holders,
    .promised_by = PromisedBy::locks_that_are_asked,
    .rank = 1,
    .kinds = {kinds::kAlgorithm, kinds::kLateGrant, kinds::kBelievedUnanswered, kinds::kLockedNothing,
              kinds::kRenewedInVain},
    .violated = "{who} {both} had a valid grant of \"{key}\" for {length} ({span})",
    .invariants = "two_holders",
    .when_outlived = "late_grant",
};

}  // namespace holdfast
