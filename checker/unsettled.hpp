// The releases and renewals of each key that did not succeed: those without an answer, which may take effect at any
// time after they were sent, long after their sender has given up, and those that failed, after which the lock may
// still be held. The story of a violation that no fault explains names the last of them. It is a hint, and decides
// nothing.
//
//   Unsettled unsettled;
//   unsettled.event(event, holds);                       // every event; for `unanswered` those of type info will do
//   text += unsettled.unanswered(key, before_ns, story);   // " Before that, a release of client 1, sent at ..."
//   text += unsettled.last_release(key, before_ns, story); // " The last release before, ..., failed (error 1213)."
//
// Memory: a few entries for each key.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/holds.hpp"
#include "checker/story.hpp"
#include "history/event.hpp"

namespace holdfast {

class Unsettled {
 public:
  void event(const Event& event, const Holds& holds);
  // The last unanswered operation that was sent before; empty: none.
  std::string unanswered(std::uint32_t key, std::int64_t before_ns, const Story& story) const;
  // The last release that was sent before, unless it succeeded; empty: it did, or there is none.
  std::string last_release(std::uint32_t key, std::int64_t before_ns, const Story& story) const;
  // The client of that release; empty: as above.
  std::optional<std::uint32_t> last_releaser(std::uint32_t key, std::int64_t before_ns) const;

 private:
  struct Sent {
    Op op = Op::release;
    EventType type = EventType::ok;
    std::uint32_t process = 0;
    std::uint32_t client = 0;
    std::int64_t sent_ns = 0;
    std::uint64_t index = 0;
    std::int64_t error = 0;  // the server's answer to the last statement
  };
  // The last ones; a witness may be written when others have followed it.
  struct Last {
    std::array<Sent, 8> sent;
    std::size_t count = 0;
  };
  template <typename Wanted>
  const Sent* last(std::uint32_t key, std::int64_t before_ns, const Wanted& wanted) const;
  const Sent* release_in_vain(std::uint32_t key, std::int64_t before_ns) const;
  static std::string name(const Sent& sent, const Story& story);

  std::vector<Last> keys_;
};

}  // namespace holdfast
