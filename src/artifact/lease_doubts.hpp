// Why nobody can say when a lease ended. What is counted is how long it was promised at least: from the request, since
// a promise that is counted from there ends no later than any server's.
//
//   lease_words("14.200 s", true, {})                       "its lease ended at 14.200 s"
//   lease_words("14.200 s", true, {.waited = true})         "it was promised until 14.200 s, counted from its request;
//                                                            its turn may have come later"
#pragma once

#include <string>

namespace holdfast {

struct LeaseDoubts {
  bool waited = false;         // at the server: nobody knows when its turn came, and the lease began
  bool renews_unseen = false;  // the lock renews by itself, where nobody sees it

  bool any() const { return waited || renews_unseen; }
  bool operator==(const LeaseDoubts&) const = default;
};

// `outlived`: whether its holder believed beyond `until`, which is a moment in words.
std::string lease_words(const std::string& until, bool outlived, const LeaseDoubts& doubts);

// Where what is counted was over before the grant arrived: then it says nothing, and is not told. Empty: no doubts.
std::string unknown_lease_words(const LeaseDoubts& doubts);

// From "counted from its request" on; empty: there are none.
std::string doubt_words(const LeaseDoubts& doubts);

}  // namespace holdfast
