// A history in memory, of one client's operations: each is invoked when the one before was answered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "history/history_source.hpp"

namespace holdfast {

class ToldHistory : public HistorySource {
 public:
  // Returns the time of the answer.
  std::int64_t answered(Op op, EventType type, Reason reason, const std::vector<std::string>& statements) {
    Event event;
    event.op = op;
    event.time_ns = now_ns_ + 1;
    events_.push_back(event);
    now_ns_ += 10;
    event.time_ns = now_ns_;
    event.type = type;
    event.reason = reason;
    for (const auto& name : statements) {
      Statement one;
      one.name = name;
      event.statements.push_back(one);
    }
    events_.push_back(std::move(event));
    return now_ns_;
  }

  const HistoryHeader& header() const override { return header_; }
  const Names& names() const override { return names_; }
  const std::string& path() const override { return path_; }
  std::uint64_t position() const override { return next_; }
  bool next(Event& event) override {
    if (next_ == events_.size()) return false;
    event = events_[next_++];
    return true;
  }

 private:
  HistoryHeader header_;
  Names names_;
  std::string path_ = "told";
  std::int64_t now_ns_ = 0;
  std::vector<Event> events_;
  std::size_t next_ = 0;
};

}  // namespace holdfast
