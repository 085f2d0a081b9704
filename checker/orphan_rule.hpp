// The rule for what a cancelled acquire leaves behind, in a run of our own: an orphan, a lock that nobody knows to
// hold, or a place in a queue whose turn comes and that nobody takes.
//
// Somebody waited for the key and gave up; its acquire was cancelled, and did not end in a grant. From T0 on (the
// latest of: the answer to that acquire, and the `ok` of the last holder's release) the key is free, whatever its
// lease: no more than a second and the lock's guard time may pass until an attempt is granted. Told when an attempt is
// refused that began later than that, or that waited for longer than that from T0 on, and nobody was granted the key
// since T0. Told once for each such time, at the next grant or the end.
//
// What it allows for: faults (one that acted since the cancelled acquire was asked for may have lost what cleaned up
// after it), holders that left, were killed, or whose release or renewal had no sure answer, and other acquires without
// one: after these nothing is told until the next grant. Waits for a processor that were measured make it undecided:
// those that explain the time; and, of attempts that were cancelled too, those that may have taken half of their time,
// since each of them may then have given up too soon: all but a second and the guard time of what one process asked.
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
  std::uint32_t first_client = 0;  // that was refused
  std::uint64_t first_index = 0;
  std::int64_t last_ns = 0;  // the last refusal's answer
  std::uint64_t last_index = 0;
  bool was_held = false;  // by anybody, before
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

  // Whether one is pending, which explains whatever else is told of the key just now.
  bool pending(std::uint32_t key) const { return key < keys_.size() && keys_[key].orphan.has_value(); }
  bool violated() const { return pending_ > 0; }
  std::int64_t cancelled() const { return cancelled_; }  // acquires so far
  std::int64_t unwanted() const { return unwanted_; }    // grants that came after their caller had given up

 private:
  struct Key {
    std::optional<Orphan> last;    // the last acquire that was cancelled and not granted
    std::optional<Orphan> orphan;  // what is to be told
    std::int64_t free_since_ns = 0;
    std::int64_t asked_since_ns = 0;
    std::map<std::uint32_t, std::int64_t> asked_ns;  // since then, in vain: by process
    bool unknown = false;                            // until the next grant somebody may hold it
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
