#include "checker/story.hpp"

#include <fmt/format.h>

#include "artifact/units.hpp"
#include "artifact/visible.hpp"
#include "checker/causes.hpp"

namespace holdfast {

namespace {

constexpr std::int64_t kShort_ns = 10 * kMillisecond_ns;

// Times of a trial are seconds; those of a foreign history may be anything, down to a counter of nanoseconds.
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

const char* noun_of(Op op) {
  return op == Op::renew ? "renewal" : to_text(op);
}

void Story::begin(std::int64_t first_time_ns, bool timed) {
  origin_ns_ = header_.foreign ? first_time_ns : 0;
  timed_ = timed;
}

std::string Story::at(std::int64_t time_ns) const {
  if (!timed_) return fmt::format("#{}", time_ns);
  const std::int64_t since_ns = time_ns - origin_ns_;
  if (since_ns != 0 && since_ns > -kShort_ns && since_ns < kShort_ns) return short_time(since_ns);
  return fmt::format("{:.3f} s", static_cast<double>(since_ns) / 1e9);
}

std::string Story::at(std::int64_t time_ns, std::uint64_t index) const {
  return fmt::format("{} (#{})", at(time_ns), index);
}

std::string Story::lasting(std::int64_t ns) const {
  if (!timed_) return fmt::format("{} events", ns);
  if (ns != 0 && ns > -kMillisecond_ns && ns < kMillisecond_ns) return short_time(ns);
  return fmt::format("{:.0f} ms", static_cast<double>(ns) / 1e6);
}

std::string Story::who(std::uint32_t process, std::uint32_t client) const {
  if (header_.foreign) return "process " + names_.processes.at(process);
  return fmt::format("client {}", client);
}

std::string Story::key(std::uint32_t key) const {
  const std::string& name = names_.keys.at(key);
  if (name.empty() && names_.keys.size() == 1) return "the lock";
  return '"' + shown_text(name) + '"';
}

std::string Story::ending(const Hold& hold) const {
  if (hold.believed()) return "on";
  const char* how = "";
  switch (hold.end) {
    case HoldEnd::release:
      how = "release";
      break;
    case HoldEnd::not_held:
      how = "answered that it does not hold it";
      break;
    case HoldEnd::deadline:
      how = "stopped at its deadline";
      break;
    case HoldEnd::leave:
      how = "leave";
      break;
    case HoldEnd::killed:
      how = "killed";
      break;
    case HoldEnd::none:
      break;
  }
  if (!timed_) return fmt::format("to #{} ({})", hold.end_index, how);
  const bool its_own = hold.end == HoldEnd::release || hold.end == HoldEnd::leave;
  return fmt::format("to {} ({}{} #{})", at(hold.ended_ns), how, its_own ? "" : ",", hold.end_index);
}

std::string Story::held(const Hold& hold) const {
  const std::string holder = subject(hold) + " held " + key(hold.key);
  if (!timed_) return fmt::format("{} from #{} (acquire) {}.", holder, hold.grant_index, ending(hold));
  return fmt::format("{} from {} (acquire #{}) {}{}.", holder, at(hold.granted_ns), hold.grant_index, ending(hold),
                     lease(hold));
}

std::string Story::lease(const Hold& hold) const {
  std::string text;
  const std::int64_t to_ns = hold.valid.to_ns;
  const bool renewed = to_ns != hold.first_valid_to_ns;
  if (hold.surely_late()) {
    text = fmt::format("; its lease had expired at {}, before the grant arrived", at(hold.last_first_to_ns()));
    if (!renewed) return text;
  }
  if (to_ns == kNever) return text;
  const bool before = !hold.believed() && hold.ended_ns < to_ns;
  const LeaseDoubts open = doubts(hold);
  if (open.any() && to_ns <= hold.granted_ns) return text + "; " + unknown_lease_words(open);
  return text + "; " + lease_words(at(to_ns), !before, open);
}

std::string Story::suspicion(const FaultRecord* fault) const {
  if (fault == nullptr) return "";
  std::string whom = fault->clients.empty() ? "the server" : fault->clients.size() == 1 ? "client" : "clients";
  for (const std::uint32_t client : fault->clients) {
    whom += fmt::format("{} {}", client == fault->clients.front() ? "" : ",", client);
  }
  return fmt::format(" Suspected cause: the fault {}, which struck {} at {}.", fault->name, whom,
                     at(fault->begin_ns, fault->index));
}

// A client that was answered at once had its turn then.
LeaseDoubts Story::doubts(const Hold& hold) const {
  if (hold.lease_ns == 0) return {};
  const bool renewed = hold.valid.to_ns != hold.first_valid_to_ns;
  const bool waited = header_.waits && !renewed && hold.turn_by_ns - hold.sent_ns >= kShort_ns;
  return {waited, header_.renews_unseen};
}

}  // namespace holdfast
