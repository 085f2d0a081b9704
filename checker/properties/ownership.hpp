// The words of ownership; its rule is in ownership.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_ownership{
    .summary = "no client releases or renews another client's lock, or loses its own lock within its lease",
    .concerns = Concerns::owners,
    .promised_by = PromisedBy::locks_with_owners,
    .rank = 5,
    .kinds = {{.name = "foreign_release",
               .meaning = "a client released another client's lock",
               .advice = "a client released another client's lock: the release must name, in one statement, the key "
                         "and an owner that is unique to the grant.",
               .violated = "{actor} released {owner} lock \"{key}\" ({span})",
               .leads_to_more = true},
              {.name = "foreign_renew",
               .meaning = "a client renewed another client's lock",
               .advice = "a client renewed another client's lock: the renewal must name, in one statement, the key "
                         "and an owner that is unique to the grant.",
               .violated = "{actor} renewed {owner} lock \"{key}\" ({span})",
               .leads_to_more = true},
              kinds::kLostLock,
              {.name = "wrong_answer",
               .meaning = "a release took effect, but was answered as if the lock had not been held",
               .advice = "the release took effect, but was answered as if the lock had been lost before. Probably the "
                         "request was executed, its reply was lost, and the request was sent again and found nothing: "
                         "check what retries requests by itself, and do not treat such an answer as a loss.",
               .violated = "a release of \"{key}\" took effect, but was answered as a loss ({by}{span})",
               .answer_only = true},
              kinds::kReleaseWithoutGrant,
              {.name = "renew_without_grant",
               .meaning = "a renewal succeeded without a grant",
               .violated = "a client renewed \"{key}\" without a grant ({by}{span})"},
              {.name = "granted_twice",
               .meaning = "an owner was granted a lock that it already held",
               .violated = "an owner was granted \"{key}\" although it already held it ({by}{span})"}},
    .violated = "a holder of \"{key}\" lost it although its grant was still valid ({by}{span})",
    .advice = "check how the lock decides who the owner is when it answers.",
    .invariants = "foreign_release foreign_renew lost_inside_lease",
};

}  // namespace holdfast
