// Events of a history in an order that takes none of their equal times for an order: what was called at a moment comes
// before what was answered at it, so that the two overlap, and what ended before what began. What one process did stays
// in its order.
//
//   TiedEvents events(source);
//   for (Event event; events.next(event);) ...     events.place() is that of the event, wherever it stood
//
// Histories of runs come so from the merge of their journals (runner/merge.hpp), which is not looked at again.
// One event is read ahead. Memory: the events of one moment, at most kMostTied; what is more keeps its order.
#pragma once

#include <cstdint>
#include <exception>
#include <vector>

#include "history/history_source.hpp"

namespace holdfast {

inline constexpr std::size_t kMostTied = 256;

class TiedEvents {
 public:
  explicit TiedEvents(HistorySource& source)
      : source_(source), in_order_(source.orders_ties() || !source.header().foreign) {}

  bool next(Event& event);
  // Of the event given out last.
  std::string place() const { return in_order_ ? source_.place() : source_.place_at(position_); }

 private:
  struct Placed {
    Event event;
    std::uint64_t position = 0;
  };
  bool read(Placed& into);
  bool gather();
  void put_in_order();
  std::vector<std::size_t> next_of_each() const;

  HistorySource& source_;
  bool in_order_;             // there is nothing to do
  std::vector<Placed> tied_;  // `count_` of them are of the moment; the rest is room
  std::size_t count_ = 0;
  std::vector<std::size_t> order_;
  std::size_t given_ = 0;  // of `order_`
  Placed ahead_;
  bool has_ahead_ = false;
  bool over_ = false;
  std::exception_ptr failed_;  // to be thrown when the event is asked for that could not be read
  std::uint64_t position_ = 0;
};

}  // namespace holdfast
