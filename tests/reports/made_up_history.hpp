// Histories that never happened, of any length, with the verdict that belongs to them: clients take turns on one key
// while all others are refused, and in the middle one is stopped past its lease and overlaps its successor.
#pragma once

#include <string>
#include <vector>

#include "artifact/verdict.hpp"
#include "history/history_source.hpp"
#include "reports/packed_text.hpp"

namespace holdfast::made_up {

class HistoryInMemory : public HistorySource {
 public:
  HistoryInMemory(std::vector<Event> events, Names names) : events_(std::move(events)), names_(std::move(names)) {}

  const HistoryHeader& header() const override { return header_; }
  const Names& names() const override { return names_; }
  const std::string& path() const override { return path_; }
  std::uint64_t position() const override { return at_; }
  bool next(Event& event) override;

 private:
  std::vector<Event> events_;
  Names names_;
  HistoryHeader header_;
  std::string path_ = "made up";
  std::size_t at_ = 0;
};

struct Story {
  std::vector<Event> events;
  Names names;
  TrialVerdict verdict;
};

// About `events` events of `clients` clients; `violated`: with the overlap, else without.
Story story(const std::string& lock, const std::string& scenario, std::size_t events, std::uint32_t clients,
            bool violated);

PackedText packed(const Story&);

}  // namespace holdfast::made_up
