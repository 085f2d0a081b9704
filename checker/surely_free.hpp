// Keys that are certainly free, in a run of our own: given back by a release that was answered, with nothing on its
// way that could have taken them since.
//
//   free.event(event);                       // every event, after Holds and FaultLog have seen it; likewise granted
//   if (const auto since_ns = free.since_ns(key)) ...
//
// A key is so from the answer of its last release on, if that said ok and no client believes to hold it. It is not so
// any more once it is granted, or an acquire or renewal of it ends without an answer, or a client is killed, which may
// have sent one: then not before the next release. An acquire that is still open does not count: the caller looks at
// those that matter to it.
//
// A reader's release does not show that no other reader is left. So where readers share a key, one that was killed,
// that left without a release, or whose operation has no answer may hold it for as long as a lease allows, or, of a
// lock without a lease, until a client is granted it alone.
//
// If a holder may acquire the lock again, a client may hold it once more than it knows: where a fault struck its
// acquire, or its acquire or release has no answer. Its releases then prove nothing until another client is granted the
// key.
//
// What a fault kept on its way may arrive later. So a key is not free for certain while a fault strikes a client that
// left such an operation behind, and for as long as packets of a cut may still come after it.
//
// Memory: a few numbers a key, and a client for each operation that was left without an answer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "checker/property.hpp"

namespace holdfast {

// The longest that a key may stay taken after its last use: a lease of whole seconds (many locks store those), a second
// more, and what the lock keeps as a guard.
std::int64_t taken_at_most_ns(std::int64_t lease_ns, const HistoryHeader& header);

class SurelyFree {
 public:
  explicit SurelyFree(const PropertyContext& context) : context_(context) {}

  void granted(const Hold& hold);
  void event(const Event& event);
  std::optional<std::int64_t> since_ns(std::uint32_t key) const;
  // A reader was killed, or left without a release that was answered, and no writer has been granted the key since.
  bool lost_a_reader(std::uint32_t key) const { return key < keys_.size() && keys_[key].reader_until_ns >= 0; }

 private:
  struct Key {
    std::int64_t released_ns = -1;               // -1: it is not known to be free
    bool shared = false;                         // a reader has been granted it
    std::int64_t lease_ns = 0;                   // the longest promised on it
    std::int64_t reader_until_ns = -1;           // a reader may be left until then; -1: none is
    std::vector<std::uint32_t> left_unanswered;  // clients, each once
    std::vector<std::uint32_t> entered_again;    // clients that may hold it once more than they know, each once
  };
  Key& at(std::uint32_t key);
  void reader_left(Key& key, std::int64_t time_ns) const;
  void enters_again(Key& key, const Event& event) const;

  PropertyContext context_;
  std::vector<Key> keys_;
};

}  // namespace holdfast
