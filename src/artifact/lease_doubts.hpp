// Reasons why a lease's end is uncertain. The known part is the shortest time the lease was promised for: counted from
// the request, it ends no later than any server's own count.
//
//   lease_words("14.200 s", true, {})                       "its lease ended at 14.200 s"
//   lease_words("14.200 s", true, {.waited = true})         "it was promised until 14.200 s, counted from its request;
//                                                            its turn may have come later"
#pragma once

#include <string>

namespace holdfast {

struct LeaseDoubts {
  bool waited = false;         // waited at the server: the time of the grant, and so the lease's start, is unknown
  bool renews_unseen = false;  // the lock renews by itself, unobserved

  bool any() const { return waited || renews_unseen; }
  bool operator==(const LeaseDoubts&) const = default;
};

// `outlived`: the holder believed beyond `until`, which is a time in words.
std::string lease_words(const std::string& until, bool outlived, const LeaseDoubts& doubts);

// For a lease whose known part ended before the grant arrived, so that part is not stated. Empty: no doubts.
std::string unknown_lease_words(const LeaseDoubts& doubts);

// Returns the text from "counted from its request" on; empty: no doubts.
std::string doubt_words(const LeaseDoubts& doubts);

}  // namespace holdfast
