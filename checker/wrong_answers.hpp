// The rule for a release that took effect and was answered as if there had been nothing to release, in holdfast's own
// runs: its holder lost nothing, only its answer was wrong. This happens to a client library whose request was executed
// and whose reply was lost: it sends the request again, and the second one finds nothing.
//
//   if (!answers.takes(told)) lost_lock(told);   // a loss inside the lease, which `takes` may keep until more is known
//   answers.granted(hold); answers.refused(event); answers.finish();
//
// Evidence, all of it in the history:
// (1) something made the answer wrong: the statements of the release changed something, or a fault began to strike its
//     client while the release was open; and no fault struck the server since the grant was asked for;
// (2) the key was the holder's until then: it was granted to no other client since, and another that asked for it later
//     than the grant was refused as busy, or was waiting for it at the server when the release was called;
// (3) it was free after the call: another client was granted it before the holder's lease was over, and no client was
//     refused it between the answer and the request of that grant.
// A case that lacks one of them is reported as lost: at once, at the next grant, or at the end.
//
// What it does not do: it judges no answer to a renewal, whose holder goes by it. Memory: a few numbers a key.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "checker/by_id.hpp"
#include "checker/property.hpp"

namespace holdfast {

// A release that was answered `not_held` inside the lease of its holder.
struct ToldLoss {
  Event event;  // the answer
  Operation operation;
  Hold hold;
  const FaultRecord* suspected = nullptr;
};

// A grant of the key, as far as it is evidence.
struct SeenGrant {
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::int64_t sent_ns = 0;
  std::int64_t granted_ns = -1;
  std::uint64_t invoke_index = 0;
  std::uint64_t index = 0;
  bool seen_held = false;  // another that asked for the key after the grant was refused it
};

class WrongAnswers {
 public:
  using Lost = std::function<void(const ToldLoss&)>;
  using Wrong = std::function<void(const ToldLoss&, const SeenGrant&)>;
  WrongAnswers(const PropertyContext& context, Lost lost, Wrong wrong)
      : context_(context), lost_(std::move(lost)), wrong_(std::move(wrong)) {}

  // True if it may be a wrong answer: then it is reported later, by `lost` or by `wrong`.
  bool takes(const ToldLoss& told);
  void granted(const Hold& hold);
  void refused(const Event& event);
  void finish();
  bool pending() const { return pending_ > 0; }

 private:
  struct Key {
    SeenGrant last;
    SeenGrant before;                      // the last but one
    std::optional<ToldLoss> told;          // the open case; its grant is the last one
    std::int64_t taken_until_ns = kNever;  // the first refusal since, of an attempt that was asked for since
  };
  bool answer_may_be_wrong(const ToldLoss& told) const;
  bool freed_by_it(const ToldLoss& told, bool seen_held, const SeenGrant& next) const;
  void settle(Key& key);

  PropertyContext context_;
  Lost lost_;
  Wrong wrong_;
  int pending_ = 0;
  ById<Key> keys_;
};

// Its story.
Witness wrong_answer_witness(const PropertyContext& context, const ToldLoss& told, const SeenGrant& next);

}  // namespace holdfast
