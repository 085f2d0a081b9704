#include "artifact/lease_doubts.hpp"

namespace holdfast {

std::string doubt_words(const LeaseDoubts& doubts) {
  if (!doubts.any()) return "";
  std::string out = "counted from its request; ";
  if (doubts.waited) out += "its turn may have come later";
  if (doubts.waited && doubts.renews_unseen) out += ", and ";
  if (doubts.renews_unseen) out += "it may have renewed by itself, which holdfast does not see";
  return out;
}

std::string lease_words(const std::string& until, bool outlived, const LeaseDoubts& doubts) {
  if (!doubts.any()) return (outlived ? "its lease ended at " : "its lease would have lasted until ") + until;
  if (!outlived) return "it was promised until " + until + " at least";
  return "it was promised until " + until + ", " + doubt_words(doubts);
}

}  // namespace holdfast
