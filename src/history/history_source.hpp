// Source of a history in any form: the events one by one, in order, with the names of their ids.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "artifact/coverage_minima.hpp"
#include "history/event.hpp"

namespace holdfast {

// Names of processes, and their small dense ids.
//
//   ProcessNames names;
//   names.id_of("17")    // 0: the first
//   names.at(0)          // "17"
//
// Nearly all names are numbers, and a long history has very many, since an identity retires with each indeterminate
// acquire and is never forgotten: a number takes about twenty bytes, any other name about a hundred.
class ProcessNames {
 public:
  static constexpr std::uint32_t kMost = ~std::uint32_t{0};  // larger numbers are stored like other names

  ProcessNames() = default;
  ProcessNames(std::initializer_list<const char*> names) {
    for (const char* name : names) id_of(std::string_view(name));
  }

  // The id of a name, or a new one.
  std::uint32_t id_of(std::string_view name);
  std::uint32_t id_of(std::uint32_t number) {
    const Slot& recent = recent_[spread(number) >> (32 - kRecentBits)];
    const bool is_it = recent.number == number && recent.id_and_1 != 0;
    return is_it ? recent.id_and_1 - 1 : look_up(number);
  }
  std::string at(std::uint32_t id) const;  // throws std::out_of_range for an unknown id
  std::uint32_t size() const { return static_cast<std::uint32_t>(numbers_.size()); }
  std::vector<std::string> all() const;

  // The number that a name represents, if it is in canonical form.
  static std::optional<std::uint32_t> number_of(std::string_view name);

 private:
  // Hash table of numbers with linear probing; at most half of the slots are used.
  struct Slot {
    std::uint32_t number = 0;
    std::uint32_t id_and_1 = 0;  // 0: free
  };
  std::uint32_t slot_count() const { return static_cast<std::uint32_t>(slots_.size()); }
  static std::uint32_t spread(std::uint32_t number) { return number * 2654435769U; }
  std::uint32_t place_of(std::uint32_t number) const { return spread(number) >> shift_; }
  std::uint32_t look_up(std::uint32_t number);
  const Slot* slot_of(std::uint32_t number) const;
  std::uint32_t add(std::uint32_t number);
  std::uint32_t add(const std::string& name);
  void insert(std::uint32_t number, std::uint32_t id);
  void grow();

  std::vector<std::uint32_t> numbers_;  // by id; kMost: a name of another kind
  std::vector<Slot> slots_;             // a power of two
  // Recently used entries, by hash: few processes are active at a time, and their slots in the main table are far
  // apart.
  static constexpr int kRecentBits = 10;
  std::array<Slot, std::size_t{1} << kRecentBits> recent_{};
  int shift_ = 32;  // from hash to index
  std::uint32_t taken_ = 0;
  std::unordered_map<std::string, std::uint32_t> other_ids_;
  std::unordered_map<std::uint32_t, std::string> other_names_;
};

// Source of a history in any form: the events one by one, in order, with the names of their ids.
//
//   HistoryReader in("history.jsonl");        // or JournalSource, EdnReader, events in memory (tests)
//   HistorySource& source = in;
//   Event event;
//   while (source.next(event)) ...
//
// All sources follow the same rules (event_rules.hpp): time and index increase, and each completion has its invocation.
// Throws BadInput with the location. It does not judge.

// Information for the checker besides the events. A foreign history has only a model.
struct HistoryHeader {
  bool foreign = true;          // no header line: judge every answer strictly, no coverage minima
  std::string model = "owner";  // owner | plain | reentrant | fenced | lease | read_write | semaphore:N
  std::string lock;
  std::string scenario;
  std::uint64_t seed = 0;
  std::uint32_t clients = 0;
  std::int64_t lease_ns = 0;  // 0: the lock promises no lease
  std::int64_t progress_bound_ns = 3'000'000'000;
  bool faults_planned = false;      // the plan has faults: coverage requires a grant that is live while one acts
  bool fenced_resource = false;     // the resource refuses older tokens
  std::int64_t stall_bound_ns = 0;  // of each process's waits for a processor, all but this were told; 0: not measured
  bool waits = false;               // an acquire waits at the server before it is refused: an open one is a waiter
  bool scheduled = false;           // nobody asked: a job's acquire is called when its client begins to wait for one
  bool cancels = false;             // acquires that wait are cancelled after a time
  bool renews_unseen = false;       // the lock renews by itself, and the history does not have it
  bool reenters = false;            // a holder may acquire it again, and releases it as often
  bool tells_loss = false;          // the lock can say, unasked, that a holder has lost it
  std::int64_t guard_ns = 0;        // by design a key that was let go may stay refused for so long
  std::int64_t overtakes_most = 0;  // promise fairness: others that ask later are granted it before a waiter
  std::int64_t loss_notice_ns = 0;  // within which a holder is told that another has its lock; 0: no such promise
  std::vector<std::string> promises;  // names of the properties that apply to this lock
  CoverageMinima minima;
};

// Names of the dense ids used in events.
struct Names {
  ProcessNames processes;
  std::vector<std::string> keys;
};

class HistorySource {
 public:
  virtual ~HistorySource() = default;

  virtual const HistoryHeader& header() const = 0;
  virtual const Names& names() const = 0;
  // For display: the file, and for the last event the file and position ("h.jsonl:12").
  virtual const std::string& path() const = 0;
  std::string place() const { return place_at(position()); }
  virtual std::uint64_t position() const = 0;  // of the last event: its line, or its number
  virtual std::string place_at(std::uint64_t position) const { return path() + ":" + std::to_string(position); }
  // False if events have no time: an event's time is then its position.
  virtual bool timed() const { return true; }

  // Returns true if calls at a time come before answers at the same time.
  virtual bool orders_ties() const { return false; }

  // False at the end. `event` is overwritten; its vectors are reused.
  virtual bool next(Event& event) = 0;
  // False if no later event has the time of the last one; reading ahead to find out might wait.
  virtual bool may_tie() const { return true; }

  // After reading: reasons to doubt that the source is complete, and what was interpreted differently from its text.
  // `whole`: it was read to its end.
  virtual std::vector<std::string> warnings(bool /*whole*/) const { return {}; }

  // For sources that wait for events: called before each wait, when all events up to `known_until_ns` have been
  // returned. If it returns true, `next` returns false.
  using Waiting = std::function<bool(std::int64_t known_until_ns)>;
  virtual void while_waiting(const Waiting& /*ends*/) {}
};

}  // namespace holdfast
