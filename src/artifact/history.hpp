// A history file: one header line (our own runs; foreign histories have none) and one JSON object a line, in event
// order.
//
//   HistoryReader in("history.jsonl");
//   Event event;
//   while (in.next(event)) checker.event(event);
//
// The reader streams: it holds one line and the names. It throws BadInput naming file and line for broken JSON, wrong
// types, unknown `type` or `f`, a completion without its invocation or with another key, two open operations of one
// process (a watchdog's renewal, `background`, counts apart), time or index going backwards, a duplicate index,
// negative or over-long numbers, and an empty file. CRLF, trailing blank lines, a byte order mark and unknown fields
// are fine. Fields: contract in docs/history.md.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "artifact/event.hpp"

namespace holdfast {

// The smallest counts that make a property's `holds` worth something; a scenario may state smaller ones.
struct ExposureMinima {
  std::int64_t grants = 20;
  std::int64_t attempts_in_hold = 5;
};

// What the checker must know besides the events. A bare (foreign) history has only a model.
struct HistoryHeader {
  bool bare = true;             // no header line: judge every answer strictly, no exposure minima
  std::string model = "owner";  // owner | plain | reentrant | fenced | lease
  std::string lock;
  std::string scenario;
  std::uint64_t seed = 0;
  std::uint32_t clients = 0;
  std::int64_t lease_ns = 0;  // 0: the lock promises no lease
  std::int64_t progress_bound_ns = 3'000'000'000;
  bool faults_planned = false;      // the plan has faults: exposure asks for a grant live while one acted
  bool fenced_resource = false;     // the resource refuses older tokens
  std::int64_t stall_bound_ns = 0;  // of each process's waits for a processor, all but this were told; 0: not measured
  std::vector<std::string> promises;  // names of the properties that apply to this lock
  ExposureMinima minima;
};

// Names of the dense ids used in events.
struct Names {
  std::vector<std::string> processes;
  std::vector<std::string> keys;
};

struct HistoryLine;

class HistoryReader {
 public:
  explicit HistoryReader(const std::string& path);
  ~HistoryReader();

  const HistoryHeader& header() const { return header_; }
  const Names& names() const { return names_; }
  const std::string& path() const { return path_; }

  // Of the event read last.
  std::uint64_t line_number() const { return line_number_; }
  // False when the lines carry no time: an event's time is then its position.
  bool timed() const { return timed_; }

  // False at the end of the file. `event` is overwritten; its vectors are reused.
  bool next(Event& event);

 private:
  struct Open {
    bool open = false;
    bool keyed = false;  // it has invoked something, so that `key` is set
    Op op = Op::acquire;
    std::uint32_t key = 0;
  };
  bool read_line();
  void order(Event& event, const HistoryLine& line);
  void name(Event& event, const HistoryLine& line);
  void pair(Event& event, const HistoryLine& line);
  Open& open_of(const Event& event) { return (event.background ? background_ : open_).at(event.process); }
  std::uint32_t key_id(const HistoryLine& line);
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;
  std::ifstream in_;
  std::string line_;
  std::uint64_t line_number_ = 0;
  std::uint64_t events_ = 0;
  bool pending_ = false;  // line_ holds a line that was read ahead
  bool timed_ = true;
  std::uint64_t last_index_ = 0;
  std::int64_t last_time_ns_ = 0;
  HistoryHeader header_;
  Names names_;
  std::unordered_map<std::string, std::uint32_t> process_ids_;
  std::unordered_map<std::string, std::uint32_t> key_ids_;
  std::vector<Open> open_;        // by process
  std::vector<Open> background_;  // by process: its watchdog's
  std::unique_ptr<HistoryLine> parsed_;
};

// Writes header and events; `finish` flushes and throws HarnessError when the disk is full.
class HistoryWriter {
 public:
  HistoryWriter(const std::string& path, const HistoryHeader& header);
  void write(const Event& event, const Names& names);
  void finish();

 private:
  std::string path_;
  std::ofstream out_;
  std::string text_;  // of one line; reused
};

}  // namespace holdfast
