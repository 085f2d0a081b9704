// Counting semaphores and read-write locks: the legal answers to each process of a foreign history, and the permits
// that it therefore held (permit_ledger.hpp sums them up, and finds when there are too many).
//
//   PermitRule rule({3, 1}, [](std::uint32_t key, const PermitFault& fault) { ... });   // a semaphore of three
//   rule.event(event, holds.operation());
//   rule.finish();
//
// A process may hold several permits of a key; it makes no difference which of them it gives back. One that is answered
// not_held while it holds has `lost` it; a release that is answered ok without a grant before it is
// `released_without_grant`, unless it cleans up after an unanswered operation.
#pragma once

#include "checker/holds.hpp"
#include "checker/permit_ledger.hpp"

namespace holdfast {

// The number of permits, and the number that an acquire takes if it does not share.
struct Permits {
  std::int64_t capacity = 1;
  std::int64_t exclusive = 1;
};

class PermitRule {
 public:
  using Found = std::function<void(std::uint32_t key, const PermitFault& fault)>;

  PermitRule(Permits permits, Found found) : permits_(permits), found_(std::move(found)) {}

  void event(const Event& event, const Operation& operation);
  // Whatever the process held of the key is over, without a release.
  void over(std::uint32_t process, std::uint32_t key, std::int64_t time_ns, std::uint64_t index);
  void finish();
  std::int64_t most_held() const { return most_held_; }  // holds of one key, at once

 private:
  using Hold = PermitLedger::Hold;

  // An acquire or a release of unknown outcome, or a release that is open.
  struct Pending {
    bool any = false;
    std::uint32_t key = 0;
    Hold hold;               // the hold that the release gives back
    std::int64_t takes = 1;  // taken by an acquire
    std::int64_t called_ns = 0;
    std::vector<std::uint64_t> indices;
  };
  struct Process {
    Pending uncertain;
    Pending release;
    bool cleans_up = false;                  // `release` is for what is `uncertain`
    std::vector<std::uint32_t> may_release;  // keys, without a hold: what was uncertain, or given up
  };

  void acquire(PermitLedger& ledger, const Event& event, const Operation& operation);
  void renewal_failed(PermitLedger& ledger, const Event& event, const Operation& operation);
  void release_called(PermitLedger& ledger, const Event& event);
  void release_answered(PermitLedger& ledger, const Event& event);
  void cleaned_up(PermitLedger& ledger, const Event& event, Process& process);
  void cleaned_in_vain(PermitLedger& ledger, Process& process);
  void allow_release(std::uint32_t process, std::uint32_t key);
  static bool may_release(const Process& process, std::uint32_t key);
  void lost(const Event& answer, const Hold& hold, std::int64_t called_ns, std::uint64_t call_index);
  PermitLedger& ledger(std::uint32_t key);
  Process& process(std::uint32_t number);

  Permits permits_;
  Found found_;
  std::int64_t most_held_ = 0;
  std::vector<PermitLedger> ledgers_;  // by key
  std::vector<Process> processes_;
};

}  // namespace holdfast
