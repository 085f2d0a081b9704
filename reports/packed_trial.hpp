// One trial as the page's scripts need it: its operations as columns of numbers, and all of it packed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "artifact/verdict.hpp"
#include "history/event.hpp"
#include "history/history_source.hpp"
#include "reports/packed_text.hpp"
#include "reports/sent_statements.hpp"
#include "reports/trial_plots.hpp"

namespace holdfast {

// The operations of one history as columns of numbers, which is how a page carries them: small, and quick to read.
//
//   Operations ops(4'000'000'000);       // the moment to keep, in nanoseconds
//   while (source.next(event)) ops.event(event);
//   out["ops"] = ops.json();
//
// One row an attempt, in the order in which they were asked for. Times are whole microseconds, `from` and the event
// numbers `index` are differences to the row before, `took` and `answer_after` to `from` and `index`; -1: never
// answered. `client`, `kind`, `type`, `reason` and `key` are numbers of Event. Statements are rows of their own that
// name their operation by its row; `texts` are those of the lock's file. If a history has more than kMostOperations,
// the neighbourhood of the moment is kept, and `left_out` counts the rest. Holds are not included: those are the
// verdict's.

class Operations {
 public:
  static constexpr std::size_t kMostOperations = 100'000;

  explicit Operations(std::int64_t moment_ns, StatementTemplates statements = {})
      : moment_ns_(moment_ns), statements_(std::move(statements)) {}

  void event(const Event& event);  // in the order of the history; what is not a client's is passed over
  nlohmann::json json() const;

 private:
  struct Row {
    std::uint32_t client = 0;
    std::uint32_t key = 0;
    Op op = Op::acquire;
    EventType type = EventType::info;
    Reason reason = Reason::none;
    bool background = false;
    std::int64_t from_ns = 0;
    std::int64_t to_ns = -1;
    std::uint64_t index = 0;
    std::uint64_t end_index = 0;
    std::string token;
    std::vector<std::pair<std::size_t, Statement>> statements;  // number of the name; the name itself is not kept
  };

  void add_row(const Event& event);
  void complete(const Event& event);
  void forget_oldest();
  std::size_t name_of(const std::string& statement);
  nlohmann::json statements_json() const;

  std::int64_t moment_ns_;
  std::vector<Row> rows_;
  std::size_t forgotten_ = 0;  // rows before rows_[0]
  std::size_t refused_ = 0;    // rows after the last
  std::map<std::pair<std::uint32_t, bool>, std::size_t>
      open_;  // by process and background: row, forgotten ones counted
  StatementTemplates statements_;
  std::map<std::string, std::size_t> names_;
  std::vector<std::string> name_list_;
};

// One trial as the page's scripts need it, packed: every operation with its statements, the holders and their times,
// the faults, the violations.
//
//   HistoryReader history("cells/ip_lease/pause/1/history.jsonl");
//   in.packed["ip_lease/pause/1"] = packed_trial(history, verdict);
//
// Reads the history to its end; errors in it throw BadInput. Names are made visible (visible.hpp), and the scripts put
// them into the page as text only. page/trial.js, which reads the fields, explains them. A trial of holdfast's own,
// some 1500 events, is about 9 kB; 100,000 events are some 600 kB.

PackedText packed_trial(HistorySource& history, const TrialVerdict&);

// The same with the texts of its lock's statements, and besides what the operations of its violations sent, which is
// read without scripts.
struct TrialEvidence {
  PackedText packed;
  std::vector<SentStatement> sent;
  TrialCounts counts;
};
TrialEvidence trial_evidence(HistorySource& history, const TrialVerdict&, const StatementTemplates&);

}  // namespace holdfast
