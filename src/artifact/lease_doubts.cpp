#include "artifact/lease_doubts.hpp"

namespace holdfast {

namespace {

std::string reasons(const LeaseDoubts& doubts) {
  std::string out;
  if (doubts.waited) out += "its turn may have come later";
  if (doubts.waited && doubts.renews_unseen) out += ", and ";
  if (doubts.renews_unseen) out += "the lock may have renewed it by itself, which holdfast cannot see";
  return out;
}

}  // namespace

std::string doubt_words(const LeaseDoubts& doubts) {
  return doubts.any() ? "counted from its request; " + reasons(doubts) : "";
}

std::string unknown_lease_words(const LeaseDoubts& doubts) {
  return doubts.any() ? "the end of its lease is unknown: " + reasons(doubts) : "";
}

std::string lease_words(const std::string& until, bool outlived, const LeaseDoubts& doubts) {
  if (!doubts.any()) return (outlived ? "its lease ended at " : "its lease would have lasted until ") + until;
  if (!outlived) return "it was promised until " + until + " at least";
  return "it was promised until " + until + ", " + doubt_words(doubts);
}

}  // namespace holdfast
