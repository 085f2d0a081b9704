// Judges releases and renewals: the client to blame, the legal answers to an owner, and the stories for witnesses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "artifact/verdict.hpp"
#include "checker/by_id.hpp"
#include "checker/findings.hpp"
#include "checker/hold.hpp"
#include "checker/property.hpp"
#include "history/event.hpp"

namespace holdfast {

// A possible subject of a release without a hold: the indices of the last hold that is over, or of an acquire of
// unknown outcome. For witnesses.
struct Before {
  std::array<std::uint64_t, 3> indices{};
  std::size_t count = 0;
  const std::uint64_t* begin() const { return indices.data(); }
  const std::uint64_t* end() const { return indices.data() + count; }
};

// The last operation on a key that may have taken the lock from its holder: blamed when a holder finds it gone.
struct Suspect {
  bool any = false;
  Op op = Op::release;
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::int64_t invoked_ns = 0;
  std::int64_t answered_ns = 0;
  std::int64_t granted_ns = -1;  // its own claim's grant; -1: it had none
  bool rightful = false;         // its own claim was valid until it was answered
  bool claims = false;           // it had a claim, or may have had one
  bool shared = false;           // its claim was a reader's, as far as is known
  std::uint64_t invoke_index = 0;
  std::uint64_t index = 0;
  Before refers_to;  // foreign histories: what it may give back, if it had no hold

  // A rightful release may be answered late, when the lock has gone on to the next: that took nothing from it.
  bool may_have_taken(const Hold& hold) const {
    return any && process != hold.process && answered_ns > hold.granted_ns &&
           (invoked_ns >= hold.granted_ns || !rightful);
  }
  // It gave back what it was granted while the release was open: the lock had been free before.
  bool followed(const Operation& release) const { return rightful && granted_ns > release.invoked_ns; }
};

inline const char* foreign_kind(Op op) {
  return op == Op::release ? "foreign_release" : "foreign_renew";
}

// The witness of something that one operation did, with the holds it concerns.
inline Witness operation_witness(const PropertyContext& context, const Event& event, const Operation& operation) {
  Witness witness;
  witness.key = context.names.keys.at(event.key);
  witness.indices = {operation.index, event.index};
  witness.clients = {event.client};
  witness.from_ns = operation.invoked_ns;
  witness.to_ns = event.time_ns;
  return witness;
}

inline void add_hold(Witness& witness, const Hold& hold) {
  if (witness.clients.front() != hold.client) witness.clients.push_back(hold.client);
  add_indices(witness.indices, hold);
}

// Judges the answers to owners strictly, in foreign histories: a release that answers ok needs a grant before it
// (`release_without_grant`), so does a renewal (`renew_without_grant`), and a holder is not granted its own lock again
// (`granted_twice`), unless the model is reentrant.
//
// Legal: a release after an indeterminate acquire of that key (it cleans up), a release sent again after one of unknown
// outcome, or after a belief that was given up, unless another has held the lock since, and a grant to an owner whose
// lease may have lapsed.
//
// Exact: a client that is granted the lock, or cleans up with an ok a grant that began later, held it at some moment
// after the uncertain release was called; so that had taken effect, and the next one finds nothing to give back.
//
// Not applied to holdfast's own runs: there a lock may answer nonsensical calls in any way that harms no client.
class OwnerRule {
 public:
  OwnerRule(const PropertyContext& context, Findings& findings) : context_(context), findings_(findings) {}
  void granted(const Hold& hold);
  void given_up(const Hold& hold);
  // The answers to an acquire, and to a release or renewal. Most are right by construction: an acquire by a client that
  // holds nothing, and any operation on a hold, unless its outcome is unknown.
  void acquired(const Event& event, const Operation& operation) {
    if (operation.hold != nullptr || event.type != EventType::ok) judge_acquired(event, operation);
  }
  void completed(const Event& event, const Operation& operation) {
    if (operation.hold == nullptr || event.type == EventType::info) judge(event, operation);
  }
  // True if a release without a hold may clean up after an indeterminate operation, or after a belief given up.
  bool may_release(std::uint32_t process, std::uint32_t key) const { return claim(process, key) != nullptr; }

 private:
  // A process that called a release of unknown outcome.
  struct Uncertain {
    std::uint32_t process = 0;
    std::int64_t granted_ns = 0;  // grant of the hold that it perhaps ended
  };
  struct Key {
    std::vector<Uncertain> uncertain;  // since the last grant
    std::int64_t granted_ns = -1;      // the last grant
    std::uint32_t granted_to = 0;
    Window proved{-1, -1};  // the last clean-up that answered ok
  };
  Key& at(std::uint32_t key) { return keys_[key]; }
  void judge_acquired(const Event& event, const Operation& operation);
  void judge(const Event& event, const Operation& operation);
  void released(const Event& event, const Operation& operation);
  void renewed(const Event& event, const Operation& operation);
  void cleaned_up(const Event& event, const Operation& operation);
  void uncertain(const Event& event, const Operation& operation);
  // A key that a process may give back without holding it.
  struct Claim {
    std::uint32_t key = 0;
    bool given_up = false;          // a belief was given up; otherwise an operation was uncertain
    std::int64_t lost_ns = kNever;  // when another held what it had let go, perhaps
  };
  const Claim* claim(std::uint32_t process, std::uint32_t key) const;
  Claim& allow_release(std::uint32_t process, std::uint32_t key);
  void lost(const Uncertain& each, std::uint32_t key, std::int64_t time_ns);
  void drop(std::uint32_t process, std::uint32_t key);

  PropertyContext context_;
  Findings& findings_;
  ById<std::vector<Claim>> claims_;  // by process, nearly always one
  ById<Key> keys_;
};

// Evidence of property ownership for a release or renewal that took effect on another client's hold.

// While `hold` was being let go, in vain.
Witness resumed_witness(const PropertyContext& context, const Hold& hold, const Suspect& suspect);

// `acted`: the time in which it took effect. `before`: indices of what an operation without a hold refers to.
Witness foreign_witness(const PropertyContext& context, const Event& event, const Operation& operation,
                        const Hold& holder, const Window& acted, const Before& before);

}  // namespace holdfast
