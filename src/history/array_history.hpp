// A history file that is one JSON array of events, as a foreign history. The rules and errors are those of a file with
// one event per line (history.hpp); errors name the line on which an event begins.
#pragma once

#include <string>

#include "history/event_rules.hpp"
#include "history/history_line.hpp"
#include "history/json_array.hpp"

namespace holdfast {

class ArrayHistory : public HistorySource {
 public:
  explicit ArrayHistory(const InputFile& file);

  const HistoryHeader& header() const override { return header_; }
  const Names& names() const override { return rules_.names(); }
  const std::string& path() const override { return path_; }
  std::uint64_t position() const override { return elements_.line(); }
  bool timed() const override { return rules_.timed(); }
  bool next(Event& event) override;

 private:
  std::string path_;
  JsonArray elements_;
  HistoryHeader header_;
  HistoryLine line_;
  TimeForms times_;
  EventRules rules_;
};

}  // namespace holdfast
