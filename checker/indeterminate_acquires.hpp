// The indeterminate acquires of one key, which may have taken the lock without anybody knowing.
//
// An indeterminate acquire retires. Either it sends one release to clean up, and may have held from its acquire's
// invocation to that release's answer; or it never does, and then, without a lease, it would hold for ever: it can only
// be after the last belief. A clean-up that was answered ok proves that it did hold. One that was answered not_held
// proves that it did not hold then: it took the lock later, if ever (or, with a lease, lost it before).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "checker/hold.hpp"

namespace holdfast {

class IndeterminateAcquires {
 public:
  enum class CleanUp : std::uint8_t { none, proved, disproved };

  void appeared(std::uint32_t process, std::int64_t acquire_invoked_ns);
  void release_invoked(std::uint32_t process);
  void vanished(std::uint32_t process);
  // `leased`: the lock's grants lapse by themselves. `acquire_invoked_ns` is set where the clean-up says something.
  CleanUp release_answered(std::uint32_t process, std::int64_t invoked_ns, std::int64_t answered_ns, bool not_held,
                           bool leased, std::int64_t& acquire_invoked_ns);
  // A later grant's refusals begin no earlier than this: what was cleaned up before explains nothing more.
  void forget_before(std::int64_t time_ns);

  std::ptrdiff_t may_hold_for_ever(std::int64_t by_ns) const;                // how many
  bool cleaned_up_within(std::int64_t from_ns, std::int64_t to_ns) const;    // one that has answered
  bool may_clean_up_within(std::int64_t from_ns, std::int64_t to_ns) const;  // any

 private:
  struct Cleaned {
    std::uint32_t process = 0;
    std::int64_t from_ns = 0;     // invocation of the acquire
    std::int64_t to_ns = kNever;  // answer of the clean-up
  };
  // All that never cleaned up, which may be very many: process -> invocation of its acquire; and these, in order, in
  // which they nearly always come.
  std::unordered_map<std::uint32_t, std::int64_t> uncertain_;
  std::vector<std::int64_t> invoked_ns_;
  std::vector<Cleaned> cleaned_;
};

}  // namespace holdfast
