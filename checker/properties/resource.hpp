// The words of resource; its rule is in resource.cpp.
#pragma once

#include "artifact/property_words.hpp"
#include "checker/renewal_kinds.hpp"

namespace holdfast {

inline const PropertyWords words_resource{
    .summary = "the protected data is not damaged",
    .concerns = Concerns::data,
    .promised_by = PromisedBy::every_lock,
    .rank = 3,
    .kinds = {kinds::kAlgorithm,
              kinds::kLossUnnoticed,
              kinds::kOverrun,
              kinds::kLateGrant,
              kinds::kWaitedOut,
              kinds::kBelievedUnanswered,
              kinds::kLockedNothing,
              kinds::kRenewedInVain,
              kinds::kRenewalsEnded,
              {.name = "late_write",
               .meaning = "a write that was sent during its grant took effect after it",
               .advice =
                   "the lock was right throughout: the write was in flight when its holder released the lock. Only a "
                   "resource that refuses older fencing tokens can detect such a write (compare fenced_lease).",
               .advice_fenced = "the lock was right throughout: the write was in flight when its holder released the "
                                "lock. The lock has fencing tokens: check how the resource compares them, and whether "
                                "it learns of a new one before the first write that carries it."}},
    .violated = "the data protected by \"{key}\" was damaged ({by}{span})",
    .advice =
        "a write carried no fencing token, or the resource does not compare it with the newest token that it has seen.",
    .advice_fenced = "the resource does not compare a write's token with the newest token that it has seen.",
    .when_outlived = "overrun,late_grant",
};

}  // namespace holdfast
