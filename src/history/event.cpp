#include "history/event.hpp"

#include "artifact/enumeration.hpp"

namespace holdfast {
namespace {

constexpr EnumWords<Actor> kActors({"client", "nemesis", "resource", "observer", "assertion"});
constexpr EnumWords<EventType> kTypes({"invoke", "ok", "fail", "info"});
constexpr EnumWords<Op> kOps({"acquire", "renew", "release", "leave", "write"});
constexpr EnumWords<Reason> kReasons({"", "busy", "not_held", "conflict", "timeout", "unavailable", "killed",
                                      "deadline", "other", "cancelled"});
constexpr EnumWords<FaultAim> kAims({"none", "request", "reply"});
constexpr EnumWords<FaultStep> kSteps({"begin", "end", "kill", "healed", "stall", "load_end", "unanswered"});

}  // namespace

void clear_others(Event& event) {
  event.holder.reset();
  event.fault.clear();
  event.step = FaultStep::begin;
  event.cause.clear();
  event.clients.clear();
  event.detail.clear();
  event.stops = false;
  event.aim = FaultAim::none;
  event.until_ns = event.waited_ns = 0;
  event.accepted = {};
  event.evaluated = {};
}

const char* to_text(Actor a) {
  return kActors[a];
}
const char* to_text(EventType t) {
  return kTypes[t];
}
const char* to_text(Op o) {
  return kOps[o];
}
const char* to_text(Reason r) {
  return kReasons[r];
}
const char* to_text(FaultAim a) {
  return kAims[a];
}
const char* to_text(FaultStep s) {
  return kSteps[s];
}

bool from_text(std::string_view word, EventType& out) {
  return kTypes.read(word, out);
}
bool from_text(std::string_view word, Op& out) {
  return kOps.read(word, out);
}
bool from_text(std::string_view word, Reason& out) {
  return kReasons.read(word, out);
}
bool from_text(std::string_view word, FaultAim& out) {
  return kAims.read(word, out);
}
bool from_text(std::string_view word, FaultStep& out) {
  return kSteps.read(word, out);
}

}  // namespace holdfast
