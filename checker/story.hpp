// The words of a witness: times, names and operations as a person reads them, the same in every property.
//
//   story.at(12'700'000'000)   "12.700 s"     since the trial began; in a history without times "line 13"
//   story.who(hold)          "client 3"     in a foreign history "process p1"
//   story.held(hold)         "Client 3 held "orders" from 12.700 s (acquire #881) to 15.015 s (release #930); its lease
//                             ended at 14.200 s."
//
// Numbers after # are indices of the history. The origin is the first event's time in a foreign history, else 0.
#pragma once

#include <string>

#include "artifact/lease_doubts.hpp"
#include "checker/hold.hpp"
#include "history/history_source.hpp"

namespace holdfast {

struct FaultRecord;

std::string capitalized(std::string text);

// "renewal", "release": an operation as a noun.
const char* noun_of(Op);

class Story {
 public:
  Story(const HistoryHeader& header, const Names& names) : header_(header), names_(names) {}
  void begin(std::int64_t first_time_ns, bool timed);
  bool timed() const { return timed_; }

  std::string at(std::int64_t time_ns) const;
  std::string at(std::int64_t time_ns, std::uint64_t index) const;  // an event: "12.700 s (#881)"
  std::string lasting(std::int64_t ns) const;
  std::string who(std::uint32_t process, std::uint32_t client) const;
  std::string who(const Hold& hold) const { return who(hold.process, hold.client); }
  std::string subject(std::uint32_t process, std::uint32_t client) const { return capitalized(who(process, client)); }
  std::string subject(const Hold& hold) const { return capitalized(who(hold)); }  // begins a sentence
  std::string key(std::uint32_t key) const;  // "\"orders\"", or "the lock" when it has no name
  std::string held(const Hold& hold) const;
  // " Suspected: the fault client_skew, which struck client 2 at 0.120 s (#4)."; without a fault nothing.
  std::string suspicion(const FaultRecord* fault) const;
  LeaseDoubts doubts(const Hold& hold) const;  // how its last lease may have ended later than was counted

 private:
  std::string ending(const Hold& hold) const;
  std::string lease(const Hold& hold) const;

  const HistoryHeader& header_;
  const Names& names_;
  std::int64_t origin_ns_ = 0;
  bool timed_ = true;
};

}  // namespace holdfast
