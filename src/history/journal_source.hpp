// The journals of a run as one history: merged by time, without a header, and so judged as a foreign history.
//
//   JournalSource in("runs/latest/fenced_lease/pause/1/journals");   // every *.journal of a folder, or one file
//
// It has the clients' records but no faults: a killed client's open operation has no answer. At equal times invocations
// come first. Memory: one chunk per journal. Throws BadInput for a folder without journals, and for a broken journal,
// with the offset; one that just ends (its writer was killed) is valid.
#pragma once

#include <memory>
#include <vector>

#include "history/event_rules.hpp"
#include "history/journal.hpp"

namespace holdfast {

class JournalSource : public HistorySource {
 public:
  explicit JournalSource(const InputFile& file);  // or a folder named by the user

  const HistoryHeader& header() const override { return header_; }
  const Names& names() const override { return rules_.names(); }
  const std::string& path() const override { return path_; }
  std::uint64_t position() const override { return rules_.events(); }
  std::string place_at(std::uint64_t position) const override { return path_ + ": event " + std::to_string(position); }
  bool orders_ties() const override { return true; }
  bool next(Event& event) override;

 private:
  struct Lane {
    std::string path;
    std::unique_ptr<JournalReader> reader;
    const EventRecord* front = nullptr;  // owned by the reader; valid until its next read
  };
  struct Later {
    const std::vector<Lane>& lanes;
    bool operator()(std::size_t a, std::size_t b) const {
      const EventRecord& x = *lanes[a].front;
      const EventRecord& y = *lanes[b].front;
      if (x.time_ns != y.time_ns) return x.time_ns > y.time_ns;
      return x.type != EventType::invoke && y.type == EventType::invoke;
    }
  };
  static bool advance(Lane& lane) {
    lane.front = lane.reader->next_record();
    return lane.front != nullptr || !over(lane);
  }
  [[gnu::cold]] static bool over(const Lane& lane);  // returns true, or throws if it is broken
  [[noreturn]] static void refuse_client(const Lane& lane, std::uint32_t number);
  [[gnu::cold]] std::uint32_t new_key(const Lane& lane, std::uint32_t number);
  void name(const Lane& lane, Event& event) {
    if (event.client >= kMaxClients) refuse_client(lane, event.client);
    event.process = rules_.process_id(event.process);
    const std::uint32_t key = event.key < keys_.size() ? keys_[event.key] : 0;
    event.key = key != 0 ? key - 1 : new_key(lane, event.key);
  }

  std::string path_;
  HistoryHeader header_;
  EventRules rules_;
  std::vector<Lane> lanes_;
  std::vector<std::size_t> heap_;    // lanes with an event, the earliest on top
  std::vector<std::uint32_t> keys_;  // number -> id + 1
};

}  // namespace holdfast
