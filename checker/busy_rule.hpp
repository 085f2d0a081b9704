// The strict rule for `busy` answers: a refusal must be explained by somebody who may have held the key at some moment
// of it. Calls back for each refusal *while the lock was provably free*.
//
// A refusal [b, b'] is legal iff it touches a belief; or the release of the belief before had not answered by b (it may
// have taken effect late); or the acquire of the next grant was invoked by b' (it may have taken effect early); or an
// indeterminate acquire may have held: one invoked by b' that was cleaned up no earlier than b, or, after the last
// belief only, one never cleaned up. With leases the latter may hold between two grants too, since it lapses by itself.
// After a kill, a leave or an indeterminate release nobody can tell until the next grant.
//
// Whether the next acquire explains it is known at the next grant, so one refusal is kept open per key: the first,
// since what explains it explains all later ones. Thus each gap is reported once: the count is a lower bound, the
// judgement exact.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "checker/property.hpp"

namespace holdfast {

struct Refusal {
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  std::uint32_t key = 0;
  std::int64_t invoked_ns = 0;
  std::int64_t refused_ns = 0;
  std::uint64_t invoke_index = 0;
  std::uint64_t index = 0;
  std::int64_t free_since_ns = -1;  // end of the belief before; -1: none
};

class BusyRule {
 public:
  using Report = std::function<void(const Refusal&)>;
  BusyRule(const PropertyContext& context, Report report) : context_(context), report_(std::move(report)) {}

  void granted(const Tenure& tenure);
  void ended(const Tenure& tenure);
  void event(const Event& event);
  void finish();

 private:
  // An indeterminate acquire of an identity that then sent a release of its own.
  struct CleanUp {
    std::uint32_t process = 0;
    std::int64_t invoked_ns = 0;        // of the acquire
    std::int64_t released_ns = kNever;  // when its release had surely taken effect
  };
  struct Key {
    std::int64_t belief_end_ns = -1;
    std::int64_t release_returned_ns = -1;  // of the belief before; kNever: not answered, or not known
    std::optional<std::uint32_t> releasing;
    std::optional<Refusal> open;
    std::map<std::uint32_t, std::int64_t> uncertain;  // indeterminate acquires: process -> invocation
    std::vector<CleanUp> clean_ups;
  };
  Key& at(std::uint32_t key);
  void refused(const Event& event);
  void released(const Event& event);
  void clean_up(const Event& event);
  bool ghost_explains(const Key& key, const Refusal& refusal, bool last_gap) const;

  PropertyContext context_;
  Report report_;
  bool leased_ = false;
  std::vector<Key> keys_;
};

}  // namespace holdfast
