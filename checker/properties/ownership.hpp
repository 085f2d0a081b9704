// The words of ownership; its rule is in ownership.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_ownership{
    .summary = "nobody frees or renews what another holds, or loses a lock inside its lease",
    .concerns = Concerns::owners,
    .promised_by = PromisedBy::locks_with_owners,
    .rank = 5,
    .kinds = {{.name = "foreign_release",
               .meaning = "a release freed what another held",
               .advice = "a release freed what another held: let it name the key and an owner that is unique to the "
                         "grant, in the same statement.",
               .violated = "a release freed \"{key}\", which was another's ({by}{span})",
               .leads_to_more = true},
              {.name = "foreign_renew",
               .meaning = "a renewal prolonged what another held",
               .advice = "a renewal took what another held: let it name the key and an owner that is unique to the "
                         "grant, in the same statement.",
               .violated = "a renewal prolonged \"{key}\", which was another's ({by}{span})",
               .leads_to_more = true},
              kinds::kLostLock,
              {.name = "wrong_answer",
               .meaning = "a release took effect and was answered as if there had been nothing to release",
               .advice =
                   "the lock was given back, and the release was answered as if it had been lost before. A request "
                   "that was executed and whose reply was lost was probably sent again, and the second one found "
                   "nothing: look at what repeats requests by itself, and take such an answer for none.",
               .violated = "a release of \"{key}\" took effect and was answered as a loss ({by}{span})",
               .answer_only = true},
              kinds::kReleaseWithoutGrant,
              {.name = "renew_without_grant", .meaning = "a renewal succeeded of what had not been granted"},
              {.name = "granted_twice", .meaning = "an owner was granted what it held already"}},
    .violated = "\"{key}\" was freed, renewed or lost against its owner ({by}{span})",
    .advice = "look at what the lock takes for the owner when it answers.",
    .invariants = "foreign_release foreign_renew lost_inside_lease",
};

}  // namespace holdfast
