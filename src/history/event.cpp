#include "history/event.hpp"

#include <array>
#include <cstddef>

namespace holdfast {
namespace {

constexpr std::array<const char*, 4> kActors{"client", "nemesis", "resource", "observer"};
constexpr std::array<const char*, 4> kTypes{"invoke", "ok", "fail", "info"};
constexpr std::array<const char*, 5> kOps{"acquire", "renew", "release", "leave", "write"};
constexpr std::array<const char*, 10> kReasons{"",       "busy",     "not_held", "conflict", "timeout", "unavailable",
                                               "killed", "deadline", "other",    "cancelled"};
constexpr std::array<const char*, 7> kSteps{"begin", "end", "kill", "healed", "stall", "load_end", "unanswered"};

template <typename Enum, std::size_t N>
bool find(const std::array<const char*, N>& words, std::string_view word, Enum& out) {
  for (std::size_t i = 0; i < N; ++i) {
    if (word == words[i]) {
      out = static_cast<Enum>(i);
      return true;
    }
  }
  return false;
}

}  // namespace

void clear_others(Event& event) {
  event.holder.reset();
  event.fault.clear();
  event.step = FaultStep::begin;
  event.cause.clear();
  event.clients.clear();
  event.detail.clear();
  event.stops = false;
  event.until_ns = event.waited_ns = 0;
  event.accepted = {};
}

const char* to_text(Actor a) {
  return kActors.at(static_cast<std::size_t>(a));
}
const char* to_text(EventType t) {
  return kTypes.at(static_cast<std::size_t>(t));
}
const char* to_text(Op o) {
  return kOps.at(static_cast<std::size_t>(o));
}
const char* to_text(Reason r) {
  return kReasons.at(static_cast<std::size_t>(r));
}
const char* to_text(FaultStep s) {
  return kSteps.at(static_cast<std::size_t>(s));
}

bool from_text(std::string_view word, EventType& out) {
  return find(kTypes, word, out);
}
bool from_text(std::string_view word, Op& out) {
  return find(kOps, word, out);
}
bool from_text(std::string_view word, Reason& out) {
  return find(kReasons, word, out);
}
bool from_text(std::string_view word, FaultStep& out) {
  return find(kSteps, word, out);
}

}  // namespace holdfast
