// A property: one promise of a lock, judged from a history in a single pass. Start reading here. Each property has two
// files in properties/: NAME.cpp has its rule, NAME.hpp its texts (artifact/property_words.hpp). NAME is the property's
// name in scenarios and reports; there is no list to edit.
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
// A property reads no files, and does not decide whether it applies: the promises in the history's header do.
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

// Data that every property may read. It outlives the property, and follows the history event by event.
struct PropertyContext {
  const HistoryHeader& header;
  const Names& names;
  const Holds& holds;
  const FaultLog& faults;
  const Causes& causes;  // of holdfast's own runs
  const Story& story;
  const HoldCoverage& coverage;
  const StruckAcquires& struck;
  const PlainChanges& plain;  // only under the model `plain`
  KeyOrders& orders;          // foreign histories: takes the doubts that a rule cannot settle
  BusyRule* busy = nullptr;   // gets every event before the properties do
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
  // `granted` and `ended` are called before the `event` that caused them. HoldListener (holds.hpp) describes the three.
  virtual void granted(const Hold&) {}
  virtual void ended(const Hold&) {}
  virtual void resumed(const Hold&, const std::vector<Hold>&) {}
  virtual void event(const Event&) {}
  // Returns the events that the property needs (granted, ended and event); called once, before the first event. A
  // property never gets an event that it does not name here, and nothing reports the omission.
  virtual EventFilter events_wanted() const { return EventFilter::all(); }
  // The process has retired, and neither holds nor requests anything: its state may be freed.
  virtual void forgotten(std::uint32_t /*process*/) {}
  // True if a violation has been found; called often, so that the timeline keeps the events around it.
  virtual bool violated() const { return false; }
  // Foreign histories: true if the last grant of the key, or the hold resumed last, already violates it together with
  // other holds that have not ended, whatever follows. Asked only if reading is to stop then.
  virtual bool violated_by_open_holds(std::uint32_t /*key*/) const { return false; }
  // Called after the last event. Returns judgement, kinds, reason, counts, witnesses and coverage; the caller sets the
  // name.
  virtual PropertyVerdict finish() = 0;
};

struct PropertyType {
  const PropertyWords* words = nullptr;
  const char* models = "";            // models under which it judges a foreign history, separated by spaces
  const char* tells_only_under = "";  // a model under which its violation is reported but does not decide the verdict
  std::unique_ptr<Property> (*make)(const PropertyContext&) = nullptr;
  // Returns the kind of its violation if no order of the operations explains a piece of a history (key_orders.hpp),
  // although no rule was broken; null: another property reports it.
  const char* (*of_piece)(PieceShows) = nullptr;
};

template <typename P>
std::unique_ptr<Property> make_property(const PropertyContext& context) {
  return std::make_unique<P>(context);
}

const std::vector<Entry<PropertyType>>& properties();

}  // namespace holdfast
