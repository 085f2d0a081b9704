// What the rules do not decide, by trying: is there an order of moments in which a correct lock answers so? Only for
// few operations; beyond its bounds it says that it does not know.
//
//   BoundedSearch search(reentrant);
//   search.event(event, operation);              // every event of a foreign history; the first few operations are kept
//   search.impossible_refusals(key)              // the operations that show it, none, or "not known"
//
// Depth-first over (operations placed, holder, depth), at most kMostStates of them; a key with more than kMostSearched
// operations is given up. Leases are not searched.
#pragma once

#include <optional>
#include <vector>

#include "artifact/verdict.hpp"
#include "checker/hold.hpp"
#include "checker/property.hpp"
#include "history/event.hpp"

namespace holdfast {

constexpr std::size_t kMostSearched = 48;
constexpr std::size_t kMostStates = 200'000;

struct SearchedOperation {
  std::uint32_t process = 0;
  std::uint32_t client = 0;
  bool acquire = true;
  EventType said = EventType::info;  // fail: refused; what surely had no effect and says nothing is not kept
  std::int64_t invoked_ns = 0;
  std::int64_t answered_ns = kNever;
  std::uint64_t invoke_index = 0;
  std::uint64_t index = 0;
};
using Searched = std::vector<SearchedOperation>;

class BoundedSearch {
 public:
  explicit BoundedSearch(bool reentrant) : reentrant_(reentrant) {}
  void event(const Event& event);

  enum class Answer : std::uint8_t { possible, impossible, unknown };
  struct Refusals {
    Answer answer = Answer::unknown;
    Searched shown;  // impossible only: whole holds and refusals, none of which can be left out
  };
  // Whether the key's refusals, and nothing else, make it impossible.
  Refusals refusals(std::uint32_t key) const;

  Answer search(const Searched& operations) const;

 private:
  struct Key {
    Searched operations;
    bool too_many = false;
  };
  Searched smallest(Searched operations) const;

  bool reentrant_;
  std::vector<Key> keys_;
  std::vector<std::size_t> open_;  // by process: place of its open operation
};

// Refusals that no order of moments explains, in words.

inline Witness searched_witness(const PropertyContext& context, std::uint32_t key, const Searched& operations) {
  const Story& story = context.story;
  Witness w;
  w.key = context.names.keys.at(key);
  for (const SearchedOperation& o : operations) {
    const char* did = o.said == EventType::fail ? (o.acquire ? "was refused" : "was told that it does not hold")
                      : o.said == EventType::ok ? (o.acquire ? "was granted" : "released")
                                                : (o.acquire ? "asked, without an answer, for" : "perhaps released");
    w.clients.push_back(o.client);
    w.indices.insert(w.indices.end(), {o.invoke_index, o.index});
    w.text += capitalized(story.who(o.process, o.client)) + " " + did + " " + story.key(key) + " (from " +
              story.at(o.invoked_ns) + (o.answered_ns == kNever ? "" : " to " + story.at(o.answered_ns)) + ", #" +
              std::to_string(o.index) + "). ";
    if (o.said == EventType::fail && o.acquire) w.to_ns = o.answered_ns;
  }
  w.from_ns = w.to_ns;
  w.text += "No order of these explains every refusal: it was free at one of them.";
  return w;
}

}  // namespace holdfast
