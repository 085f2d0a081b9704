// Reorders events with equal times, whose order has no meaning: calls at a time come before answers at the same time,
// so that they overlap, and ends before beginnings. The events of one process keep their order.
//
//   TiedEvents events(source);
//   while (const Event* event = events.next()) ...     // valid until the next call
//   events.place()                                     // the event's position in the source
//
// Histories of runs already have this order from the merge of their journals (runner/merge.hpp) and are passed through.
// One event is read ahead, and none is copied. Memory: the events of one time, at most kMostTied; further ones keep
// their order.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include "history/history_source.hpp"

namespace holdfast {

inline constexpr std::size_t kMostTied = 256;

class TiedEvents {
 public:
  explicit TiedEvents(HistorySource& source)
      : source_(source), in_order_(source.orders_ties() || !source.header().foreign) {}

  // Null at the end.
  const Event* next() {
    if (in_order_) return source_.next(only_) ? &only_ : nullptr;
    if (given_ == count_ && !gather()) return nullptr;
    given_last_ = tied_[count_ == 1 ? 0 : order_[given_]].get();
    ++given_;
    return &given_last_->event;
  }
  // Position of the last returned event.
  std::string place() const { return in_order_ ? source_.place() : source_.place_at(given_last_->position); }

 private:
  struct Placed {
    Event event;
    std::uint64_t position = 0;
  };
  // A set of places among the moment's events.
  class Places {
   public:
    void insert(std::size_t place) { bits_[place / 64] |= std::uint64_t{1} << (place % 64); }
    bool has(std::size_t place) const { return (bits_[place / 64] >> (place % 64) & 1) != 0; }
    std::size_t take_first(std::size_t of);  // among so many; kMostTied: none

   private:
    std::array<std::uint64_t, kMostTied / 64> bits_{};
  };
  // The last event of a process at the current time.
  struct Last {
    std::uint64_t moment = 0;
    Actor actor = Actor::client;
    std::uint32_t process = 0;
    std::uint32_t place = 0;
  };

  bool read(Placed& into);
  bool gather();
  bool keys_differ() const;
  void put_in_order();
  void put_few_in_order();
  std::uint32_t successor_of(std::size_t place) const;
  void find_successors();
  Last& last_of(const Event& event);
  std::size_t rank(std::size_t place) const;

  HistorySource& source_;
  bool in_order_;                              // nothing to reorder
  Event only_;                                 // if nothing is reordered
  std::vector<std::unique_ptr<Placed>> tied_;  // `count_` of them have the current time; the next is read ahead
  std::size_t count_ = 0;
  std::array<std::uint32_t, kMostTied> order_{};  // if several events have this time
  std::array<std::uint32_t, kMostTied> next_{};   // the process's next event at this time; kMostTied: none
  std::array<std::uint8_t, kMostTied> rank_{};
  std::array<Last, 2 * kMostTied> lasts_{};  // by hash of the process
  std::uint64_t moment_ = 0;
  std::size_t given_ = 0;
  const Placed* given_last_ = nullptr;
  bool has_ahead_ = false;
  bool over_ = false;
  std::exception_ptr failed_;  // thrown when the event that could not be read is requested
};

}  // namespace holdfast
