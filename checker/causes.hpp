// Which fault may be behind a violation: one that struck a party of its story, or the server.
//
//   causes.event(event);                                              // every event of a run of ours
//   if (const FaultRecord* fault = causes.suspected({key, {1, 2}, sent_ns, granted_ns, found_ns})) kind = fault->cause;
//
// Parties are the clients of the incident and those who had a hand in the key meanwhile: who was granted it, gave it
// back or prolonged it, whose release or renewal had no answer (it may take effect at any time), and whose attempt was
// refused only at its last statement (the ones before may have cleared the way). Whoever was merely refused had none.
//
// It is a suspicion: that a fault struck a party says neither that it was needed for the violation nor that it was
// enough. The same plan without the fault can tell. Memory: a few operations for each key.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "checker/faults.hpp"
#include "checker/holds.hpp"
#include "checker/story.hpp"
#include "history/event.hpp"

namespace holdfast {

// What a violation is about, for the search of its cause.
struct Incident {
  std::uint32_t key = 0;
  std::vector<std::uint32_t> clients;  // whose holds or operations make it
  std::int64_t from_ns = 0;            // when the first of them asked for what it then had
  std::int64_t since_ns = 0;           // when it had it; what others rightfully did before has nothing to do with it
  std::int64_t to_ns = 0;              // when it was violated
};

class Causes {
 public:
  Causes(const FaultLog& faults, const Holds& holds) : faults_(faults), holds_(holds) {}

  void event(const Event& event);  // after Holds has seen it
  const FaultLog& faults() const { return faults_; }

  // Of those with a cause that struck a party in time the one that began last; null: there is none.
  const FaultRecord* suspected(const Incident& incident) const;
  // " Suspected: the fault client_skew, which struck client 2 at 0.120 s (#4)."; without a fault nothing.
  static std::string words(const FaultRecord* fault, const Story& story);

 private:
  struct Hand {
    std::uint32_t client = 0;
    std::int64_t invoked_ns = 0;
    std::int64_t answered_ns = -1;
    bool rightful = false;  // within its own claim
  };
  template <std::size_t N>
  struct Last {
    std::array<Hand, N> hands;
    std::size_t count = 0;
    void add(const Hand& hand) { hands[count++ % N] = hand; }
  };
  struct Key {
    Last<16> answered;
    Last<8> unanswered;  // releases and renewals
  };
  std::vector<Involved> involved_in(const Incident& incident) const;

  const FaultLog& faults_;
  const Holds& holds_;
  std::vector<Key> keys_;
};

}  // namespace holdfast
