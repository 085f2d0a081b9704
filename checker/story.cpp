#include "checker/story.hpp"

#include <fmt/format.h>

#include "artifact/shown_text.hpp"
#include "artifact/units.hpp"

namespace holdfast {

namespace {

constexpr std::int64_t kShort_ns = 10 * kMillisecond_ns;

// Times of a trial are seconds; those of somebody else's history may be anything, down to a counter of nanoseconds.
std::string short_time(std::int64_t ns) {
  const std::int64_t size = ns < 0 ? -ns : ns;
  if (size < 1'000) return fmt::format("{} ns", ns);
  if (size < kMillisecond_ns) return fmt::format("{:.3f} us", static_cast<double>(ns) / 1e3);
  return fmt::format("{:.3f} ms", static_cast<double>(ns) / 1e6);
}

}  // namespace

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

void Story::begin(std::int64_t first_time_ns, bool timed) {
  origin_ns_ = header_.bare ? first_time_ns : 0;
  timed_ = timed;
}

std::string Story::at(std::int64_t time_ns) const {
  if (!timed_) return fmt::format("#{}", time_ns);
  const std::int64_t since_ns = time_ns - origin_ns_;
  if (since_ns != 0 && since_ns > -kShort_ns && since_ns < kShort_ns) return short_time(since_ns);
  return fmt::format("{:.3f} s", static_cast<double>(since_ns) / 1e9);
}

std::string Story::lasting(std::int64_t ns) const {
  if (!timed_) return fmt::format("{} events", ns);
  if (ns != 0 && ns > -kMillisecond_ns && ns < kMillisecond_ns) return short_time(ns);
  return fmt::format("{:.0f} ms", static_cast<double>(ns) / 1e6);
}

std::string Story::who(std::uint32_t process, std::uint32_t client) const {
  if (header_.bare) return "process " + names_.processes.at(process);
  return fmt::format("client {}", client);
}

std::string Story::key(std::uint32_t key) const {
  const std::string& name = names_.keys.at(key);
  if (name.empty() && names_.keys.size() == 1) return "the lock";
  return '"' + shown_text(name) + '"';
}

std::string Story::ending(const Tenure& tenure) const {
  if (tenure.believed()) return "on";
  const char* how = "";
  switch (tenure.end) {
    case TenureEnd::release:
      how = "release";
      break;
    case TenureEnd::not_held:
      how = "told that it holds nothing";
      break;
    case TenureEnd::deadline:
      how = "gave it up at its deadline";
      break;
    case TenureEnd::leave:
      how = "leave";
      break;
    case TenureEnd::killed:
      how = "killed";
      break;
    case TenureEnd::none:
      break;
  }
  if (!timed_) return fmt::format("to #{} ({})", tenure.end_index, how);
  const bool its_own = tenure.end == TenureEnd::release || tenure.end == TenureEnd::leave;
  return fmt::format("to {} ({}{} #{})", at(tenure.ended_ns), how, its_own ? "" : ",", tenure.end_index);
}

std::string Story::held(const Tenure& tenure) const {
  const std::string holder = capitalized(who(tenure)) + " held " + key(tenure.key);
  if (!timed_) return fmt::format("{} from #{} (acquire) {}.", holder, tenure.grant_index, ending(tenure));
  std::string text =
      fmt::format("{} from {} (acquire #{}) {}", holder, at(tenure.granted_ns), tenure.grant_index, ending(tenure));
  if (tenure.late())
    text += fmt::format("; its lease had ended at {}, before the grant arrived", at(tenure.first_valid_to_ns));
  const std::int64_t to_ns = tenure.valid.to_ns;
  if (to_ns != kNever && !(tenure.late() && to_ns == tenure.first_valid_to_ns)) {
    const bool before = !tenure.believed() && tenure.ended_ns < to_ns;
    text += fmt::format("; its lease {} {}", before ? "would have lasted until" : "ended at", at(to_ns));
  }
  return text + ".";
}

}  // namespace holdfast
