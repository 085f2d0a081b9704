// The releases and renewals of each key that had no answer. Such a one may take effect at any time after it was sent,
// long after its sender has given up; so the story of a violation that no fault explains names the last of them. It is
// a hint, and decides nothing.
//
//   Unanswered unanswered;
//   unanswered.event(event, tenures);                  // every event
//   text += unanswered.words(key, before_ns, story);   // " Before that, a release of client 1, sent at ..."
//
// Memory: a few entries for each key.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "checker/story.hpp"
#include "checker/tenures.hpp"
#include "history/event.hpp"

namespace holdfast {

class Unanswered {
 public:
  void event(const Event& event, const Tenures& tenures);
  // Empty where none was sent before.
  std::string words(std::uint32_t key, std::int64_t before_ns, const Story& story) const;

 private:
  struct Sent {
    Op op = Op::release;
    std::uint32_t process = 0;
    std::uint32_t client = 0;
    std::int64_t sent_ns = 0;
    std::uint64_t index = 0;
  };
  // The last ones; a witness may be written when others have followed it.
  struct Last {
    std::array<Sent, 8> sent;
    std::size_t count = 0;
  };
  std::vector<Last> keys_;
};

}  // namespace holdfast
