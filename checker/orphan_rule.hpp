// The rule for leftovers of a cancelled acquire in holdfast's own runs: an orphan, which is a lock without a client
// that knows of its hold, or a place in a queue whose turn comes and is not taken.
//
// A client waited for the key and gave up; its acquire was cancelled, and did not end in a grant. From T0 on (the
// latest of: the answer to that acquire, and the `ok` of the last holder's release) the key is free, whatever its
// lease: no more than a second and the lock's guard time may pass until an attempt is granted. Reported if an attempt
// is refused that began later than that, or that waited for longer than that from T0 on, and the key was not granted
// since T0. Reported once for each such time, at the next grant or the end.
//
// It allows for faults (one that acted since the cancelled acquire was asked for may have lost its clean-up), holders
// that left, were killed, or whose release or renewal had no sure answer, and other acquires without one: after these
// nothing is reported until the next grant. Measured waits for a processor make it undecided: those that explain the
// time; and, for attempts that were cancelled too, those that may have taken half of their time, since each of them may
// then have given up too soon: all but a second and the guard time of the total that one process asked.
//
// What it does not do: it cannot see an orphan whose lease is over within that time. Memory: a few numbers a key, and
// one for each process that was refused it since.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checker/property.hpp"

namespace holdfast {

struct Orphan {
  std::uint32_t key = 0;
  Event cancelled;            // its answer
  std::int64_t asked_ns = 0;  // when the cancelled acquire was asked for
  std::uint64_t asked_index = 0;
  std::int64_t free_since_ns = 0;
  std::int64_t allowed_ns = 0;
  std::int64_t refusals = 0;
  std::uint32_t first_client = 0;  // client of the first refusal
  std::uint64_t first_index = 0;
  std::int64_t last_ns = 0;  // the last refusal's answer
  std::uint64_t last_index = 0;
  bool was_held = false;  // before, by any client
};

class OrphanRule {
 public:
  using Report = std::function<void(const Orphan&)>;
  using Doubt = std::function<void(const std::string&)>;
  OrphanRule(const PropertyContext& context, Report report, Doubt doubt)
      : context_(context), report_(std::move(report)), doubt_(std::move(doubt)) {}

  void granted(const Hold& hold);
  void ended(const Hold& hold);
  void event(const Event& event);
  void finish();

  // True if one is pending, which explains any other finding of the key at this moment.
  bool pending(std::uint32_t key) const { return key < keys_.size() && keys_[key].orphan.has_value(); }
  bool violated() const { return pending_ > 0; }
  std::int64_t cancelled() const { return cancelled_; }  // acquires so far
  std::int64_t unwanted() const { return unwanted_; }    // grants that came after their caller had given up

 private:
  struct Key {
    std::optional<Orphan> last;    // the last acquire that was cancelled and not granted
    std::optional<Orphan> orphan;  // the one to report
    std::int64_t free_since_ns = 0;
    std::int64_t asked_since_ns = 0;
    std::map<std::uint32_t, std::int64_t> asked_ns;  // since then, in vain: by process
    bool unknown = false;                            // until the next grant a client may hold it
    bool being_freed = false;                        // by a release that has no answer yet
  };
  Key& at(std::uint32_t key);
  void answered(Key& key, const Event& event);
  void refused(Key& key, const Event& event);
  std::int64_t asked_ns(Key& key, const Event& event, std::int64_t since_ns) const;
  bool left_behind(Key& key, const Event& event);
  void flush(Key& key);

  PropertyContext context_;
  Report report_;
  Doubt doubt_;
  int pending_ = 0;
  std::int64_t cancelled_ = 0;
  std::int64_t unwanted_ = 0;
  std::vector<Key> keys_;
};

// Its story.
Witness orphan_witness(const PropertyContext& context, const Orphan& orphan);

}  // namespace holdfast
