// A history file: one JSON object per line, in event order. Histories of holdfast's runs begin with a header and end
// with a record of the number of events; without it they are considered truncated, even at the end of a line, so that
// they are never read as complete shorter histories. Foreign histories have neither.
//
//   HistoryReader in("history.jsonl");
//   Event event;
//   while (in.next(event)) checker.event(event);
//
// The reader streams: it keeps one line and the names. It throws BadInput with file and line for broken JSON, wrong
// types, an unknown `type` or `f`, a completion without its invocation or with another key, two open operations of one
// process (a watchdog's renewal, `background`, counts separately), time or index going backwards, a duplicate index,
// negative or too large numbers, and an empty file. CRLF, trailing blank lines, a byte order mark and unknown fields
// are accepted. docs/history.md specifies the fields.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "history/event_rules.hpp"
#include "history/history_source.hpp"
#include "history/line_reader.hpp"
#include "history/usual_line.hpp"

namespace holdfast {

class HistoryReader : public HistorySource {
 public:
  explicit HistoryReader(const InputFile& file);

  const HistoryHeader& header() const override { return header_; }
  const Names& names() const override { return rules_.names(); }
  const std::string& path() const override { return file_.path(); }
  std::uint64_t position() const override { return lines_.number(); }
  bool timed() const override { return rules_.timed(); }
  bool next(Event& event) override;

  std::uint64_t line_number() const { return lines_.number(); }  // of the last event

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  bool next_line();
  void read_line(Event& event);
  void check_end();
  bool clients_are_numbered() const;

  InputFile file_;
  LineReader lines_;
  std::string_view line_;
  bool pending_ = false;  // line_ was read ahead
  bool ended_ = false;
  std::uint64_t events_ = 0;  // returned so far
  HistoryHeader header_;
  HistoryLine parsed_;
  UsualLine usual_;
  TimeForms times_;
  EventRules rules_;
};

// Writes header, events and end; `finish` flushes and throws HarnessError when the disk is full.
class HistoryWriter {
 public:
  HistoryWriter(const std::string& path, const HistoryHeader& header);
  void write(const Event& event, const Names& names);
  void finish();

 private:
  void put(const std::string& text);
  [[noreturn]] void fail() const;

  std::string path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> out_;
  bool foreign_;
  std::uint64_t events_ = 0;
  std::string text_;  // of one line; reused
};

// Checks by its last line alone that a run's history is complete: for code that shows earlier verdicts without reading
// the history. HistoryReader also counts the events.
//
//   check_whole(run.file("cells/insert_lease/pause/1/history.jsonl"));   // throws BadInput if it is truncated
//
// Foreign histories have no end record; those of older programs had none either, and their readers report that.
void check_whole(const InputFile& file);

}  // namespace holdfast
