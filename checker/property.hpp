// A property: one promise of a lock, judged from a history in a single pass. Read this first; two files each in
// properties/: NAME.cpp with the rule, NAME.hpp with all its words (artifact/property_words.hpp). The files' stem is
// the property's name in scenarios and reports; there is no list to edit.
//
//   class Quiet : public Property {
//    public:
//     void event(const Event& e) override { if (...) findings_.add({"algorithm", ...}); }
//     PropertyVerdict finish() override { return findings_.verdict(); }
//   };
//   extern const PropertyType property_quiet{.words = &words_quiet, .models = "owner", .make = make_property<Quiet>};
//
// A property sees the events in order, once, after the shared trackers (beliefs, faults) have processed them. Its
// memory must not grow with the history, only with keys and clients; a property that needs more says so in its file.
//
// What it does not do: it does not read files, and it does not decide whether it applies: the header's promises do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "artifact/entry.hpp"
#include "artifact/enumeration.hpp"
#include "artifact/property_words.hpp"
#include "artifact/verdict.hpp"
#include "checker/causes.hpp"
#include "checker/hold_coverage.hpp"
#include "checker/holds.hpp"
#include "checker/key_orders.hpp"
#include "checker/order_witness.hpp"
#include "checker/plain_rule.hpp"
#include "checker/story.hpp"
#include "history/history_source.hpp"

namespace holdfast {

class BusyRule;

// Data that every property may look at. It outlives the property and moves on with the history.
struct PropertyContext {
  const HistoryHeader& header;
  const Names& names;
  const Holds& holds;
  const FaultLog& faults;
  const Causes& causes;  // in runs of our own
  const Story& story;
  const HoldCoverage& coverage;
  const StruckAcquires& struck;
  const PlainChanges& plain;  // model plain only
  KeyOrders& orders;          // foreign histories: receives doubts that a rule cannot settle
  BusyRule* busy = nullptr;   // sees every event before the properties do
};

// The events a property subscribes to, as a set: events of clients by type and operation, all other events, and beliefs
// that begin and end. A history has millions, and most properties look at few of them.
class EventFilter {
 public:
  static constexpr EventFilter all() { return EventFilter(~std::uint64_t{0}); }
  static constexpr EventFilter none() { return EventFilter(0); }
  constexpr EventFilter with(EventType type, Op op) const { return EventFilter(bits_ | bit(number(type, op))); }
  constexpr EventFilter with(EventType type) const { return EventFilter(bits_ | kEveryOp << number(type, Op{})); }
  constexpr EventFilter with(Op op) const {
    EventFilter out = *this;
    for (std::size_t type = 0; type < kEnumerators<EventType>; ++type) out = out.with(static_cast<EventType>(type), op);
    return out;
  }
  constexpr EventFilter with_others() const { return EventFilter(bits_ | bit(kOthers)); }
  constexpr EventFilter with_granted() const { return EventFilter(bits_ | bit(kGranted)); }
  constexpr EventFilter with_ended() const { return EventFilter(bits_ | bit(kEnded)); }
  constexpr EventFilter without(EventType type, Op op) const { return EventFilter(bits_ & ~bit(number(type, op))); }
  constexpr bool has(std::size_t kind) const { return (bits_ >> kind & 1) != 0; }

  // The kinds of event: a number below kKinds.
  static constexpr std::size_t kGranted = kEnumerators<EventType> * kEnumerators<Op> + 1;
  static constexpr std::size_t kEnded = kGranted + 1;
  static constexpr std::size_t kKinds = kEnded + 1;
  static_assert(kKinds <= 64, "a bit each");
  static std::size_t kind(const Event& event) {
    return event.actor == Actor::client ? number(event.type, event.op) : kOthers;
  }

 private:
  static constexpr std::size_t kOthers = kEnumerators<EventType> * kEnumerators<Op>;
  static constexpr std::uint64_t kEveryOp = ~(~std::uint64_t{0} << kEnumerators<Op>);
  static constexpr std::size_t number(EventType type, Op op) {
    return kEnumerators<Op> * static_cast<std::size_t>(type) + static_cast<std::size_t>(op);
  }
  static constexpr std::uint64_t bit(std::size_t kind) { return std::uint64_t{1} << kind; }
  explicit constexpr EventFilter(std::uint64_t bits) : bits_(bits) {}
  std::uint64_t bits_;
};

class Property {
 public:
  virtual ~Property() = default;
  // `granted` and `ended` come before the `event` that caused them; `ended` as HoldListener says.
  virtual void granted(const Hold&) {}
  virtual void ended(const Hold&) {}
  // As HoldListener says.
  virtual void resumed(const Hold&, const std::vector<Hold>&) {}
  virtual void event(const Event&) {}
  // The events to get (granted, ended and event); asked once, before the first event. Name all that the property looks
  // at: it cannot judge what it does not get, and does not report that.
  virtual EventFilter events_wanted() const { return EventFilter::all(); }
  // The process has retired, and neither holds nor asks for anything: what is kept of it may go.
  virtual void forgotten(std::uint32_t /*process*/) {}
  // True if a violation has been seen already; asked often, so that the timeline keeps its neighbourhood.
  virtual bool violated() const { return false; }
  // After the last event. Fills judgement, kind(s), reason, counts, witnesses and coverage; the name is set by the
  // caller.
  virtual PropertyVerdict finish() = 0;
};

struct PropertyType {
  const PropertyWords* words = nullptr;
  const char* models = "";            // under which a foreign history is judged by it, separated by spaces
  const char* tells_only_under = "";  // the model under which its violation is told, and is not the history's
  std::unique_ptr<Property> (*make)(const PropertyContext&) = nullptr;
  // The kind in which it is violated by a piece of a history that no order of moments explains (key_orders.hpp), though
  // no rule was broken; null: it is another's.
  const char* (*of_piece)(PieceShows) = nullptr;
};

template <typename P>
std::unique_ptr<Property> make_property(const PropertyContext& context) {
  return std::make_unique<P>(context);
}

const std::vector<Entry<PropertyType>>& properties();

}  // namespace holdfast
