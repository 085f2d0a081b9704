// Holders whose key was granted to another, and the time until each former holder knew: followed through a history of
// holdfast's own, and reported one by one.
//
//   LossNotices losses(context, [&](const LossNotice& one) { if (one.told) waits.add(one.lasted_ns()); });
//   losses.granted(hold); losses.ended(hold); losses.event(event);     // as a property gets them
//
// The time counts from the first grant to another while the former holder believes, as the other one read it: the lock
// was lost before that, so the time is never too long. A former holder knows once a renewal is answered `not_held`, it
// has read `lost`, it was answered `no` when it asked whether it holds the lock, or it has found by its own clock that
// its lease is over. One that releases first, or believes until the history ends, never learned it. One that is killed
// has nothing to learn, and does not count.
//
// A holder that lost its lock and had no successor is not reported, only counted among those that were notified.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "checker/property.hpp"

namespace holdfast {

struct LossNotice {
  Hold former;  // as it ended
  std::uint32_t next_process = 0;
  std::uint32_t next_client = 0;
  std::int64_t lost_ns = 0;  // when the other one's grant was read
  std::uint64_t lost_index = 0;
  std::int64_t known_ns = 0;  // when it was notified, or ended its belief without notice
  bool told = false;

  std::int64_t lasted_ns() const { return known_ns - lost_ns; }
};

class LossNotices {
 public:
  using Report = std::function<void(const LossNotice&)>;
  LossNotices(const PropertyContext& context, Report report) : context_(context), report_(std::move(report)) {}

  void granted(const Hold& hold);
  void ended(const Hold& hold);
  void event(const Event& event);

  std::int64_t told_before_another() const { return told_before_another_; }

 private:
  struct Left {
    Hold hold;
    std::uint64_t index = 0;
  };
  std::optional<LossNotice> taken(const Hold& hold);
  void learnt(const Hold& hold, bool told);

  PropertyContext context_;
  Report report_;
  std::vector<LossNotice> lost_;  // former holders that do not know yet
  std::optional<Hold> left_;      // the next event gives the reason
  std::int64_t told_before_another_ = 0;
};

}  // namespace holdfast
