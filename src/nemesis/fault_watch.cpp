#include "nemesis/fault_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "artifact/units.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kShare = 50;           // looks take at most one part in so many of the time
constexpr std::int64_t kSlow_ms = 1000;       // between two that may take long
constexpr std::int64_t kSlowTakes_ms = 1000;  // how long those may take, with a probe that nobody answers
constexpr std::int64_t kAgain_ms = 10;

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

}  // namespace

FaultWatch::FaultWatch(World& world, Fault& fault, const Victims& victims)
    : world_(world),
      fault_(fault),
      victims_(victims),
      began_ns_(world.time().now_ns()),
      seen_ns_(began_ns_),
      due_ns_(began_ns_),
      slow_ns_(began_ns_ + kSlow_ms * kMillisecond_ns) {}

void FaultWatch::look(std::int64_t left_ms) {
  const std::int64_t now_ns = world_.time().now_ns();
  if (!broken_.empty() || now_ns < due_ns_) return;
  const bool slowly = now_ns >= slow_ns_ && left_ms > kSlowTakes_ms;
  take(slowly);
  const std::int64_t done_ns = world_.time().now_ns();
  const std::int64_t rest_ns = slowly ? 0 : kShare * (done_ns - now_ns);
  due_ns_ = done_ns + std::max(fault_.look_every_ms() * kMillisecond_ns, rest_ns);
  if (slowly) slow_ns_ = done_ns + kSlow_ms * kMillisecond_ns;
}

std::int64_t FaultWatch::due_ms() const {
  if (!broken_.empty()) return kSlow_ms;  // there is no next one
  return std::max<std::int64_t>(1, (due_ns_ - world_.time().now_ns()) / kMillisecond_ns);
}

void FaultWatch::take(bool slowly) {
  try {
    const Look seen = fault_.look(world_, victims_, slowly);
    const std::int64_t now_ns = world_.time().now_ns();
    unclear_ = seen == Look::unclear;
    if (seen == Look::in_force) seen_ns_ = now_ns;
    if (seen != Look::over) return;
    broken_ = fmt::format("it did not last: it was in force for {:.3f} s, and {:.3f} s after it began it was over",
                          seconds(seen_ns_ - began_ns_), seconds(now_ns - began_ns_));
  } catch (const std::exception& failed) {
    broken_ = std::string("whether it was still in force could not be seen: ") + text_of(failed);
  }
}

void FaultWatch::last_look() {
  if (!broken_.empty()) return;
  const std::int64_t until_ns = world_.time().now_ns() + kProof_ms * kMillisecond_ns;
  const auto clear = [this] {
    take(false);
    return !unclear_ || !broken_.empty();
  };
  poll_until(clear, kAgain_ms, [&] { return world_.time().now_ns() >= until_ns; });
  if (!unclear_ || !broken_.empty()) return;
  broken_ =
      fmt::format("whether it lasted could not be seen: {:.3f} s after it began it was in force for the last time",
                  seconds(seen_ns_ - began_ns_));
}

}  // namespace holdfast
