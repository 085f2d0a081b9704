// The last operation on a key that may have taken the lock from its holder: who is blamed when one finds it gone.
#pragma once

#include <vector>

#include "checker/hold.hpp"
#include "history/event.hpp"

namespace holdfast {

struct Suspect {
  bool any = false;
  Op op = Op::release;
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::int64_t invoked_ns = 0;
  std::int64_t answered_ns = 0;
  bool rightful = false;  // its own claim was valid until it was answered
  bool claims = false;    // it had a claim, or may have had one
  std::uint64_t invoke_index = 0;
  std::uint64_t index = 0;
  std::vector<std::uint64_t> refers_to;  // foreign histories: what it may give back, if it had no hold

  // A rightful release may be answered late, when the lock has gone on to the next: that took nothing from it.
  bool may_have_taken(const Hold& hold) const {
    return any && process != hold.process && answered_ns > hold.granted_ns &&
           (invoked_ns >= hold.granted_ns || !rightful);
  }
};

inline const char* foreign_kind(Op op) {
  return op == Op::release ? "foreign_release" : "foreign_renew";
}

}  // namespace holdfast
