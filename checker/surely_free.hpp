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

class SurelyFree {
 public:
  explicit SurelyFree(const PropertyContext& context) : context_(context) {}

  void granted(const Hold& hold) { at(hold.key).released_ns = -1; }
  void event(const Event& event);
  std::optional<std::int64_t> since_ns(std::uint32_t key) const;

 private:
  struct Key {
    std::int64_t released_ns = -1;               // -1: it is not known to be free
    std::vector<std::uint32_t> left_unanswered;  // clients, each once
  };
  Key& at(std::uint32_t key);

  PropertyContext context_;
  std::vector<Key> keys_;
};

}  // namespace holdfast
