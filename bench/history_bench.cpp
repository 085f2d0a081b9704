// From journals to a verdict: merging, and checking, in events a second. Five clients take turns on one key.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "checker/check.hpp"
#include "history/journal.hpp"
#include "runner/merge.hpp"

namespace holdfast {
namespace {

constexpr std::uint32_t kClients = 5;
constexpr std::int64_t kTurn_ns = 1'000'000;
constexpr int kEventsATurn = 4;

// Folder of journals in which each client in its turn acquires and releases.
class Record {
 public:
  explicit Record(std::int64_t turns) : turns_(turns) {
    std::filesystem::create_directories(folder_);
    for (std::uint32_t c = 0; c < kClients; ++c) journal(c);
  }
  ~Record() { std::filesystem::remove_all(folder_); }

  std::string merged() const {
    HistoryHeader header;
    header.foreign = false;
    header.lock = "insert_lease";
    header.clients = kClients;
    header.lease_ns = 10 * kTurn_ns;
    header.promises = {"mutual_exclusion", "lease_exclusion", "ownership", "progress"};
    merge_history({folder_, kClients, 1, {}, {}}, header, folder_ + "/history.jsonl");
    return folder_ + "/history.jsonl";
  }
  std::int64_t events() const { return turns_ * kEventsATurn; }

 private:
  void journal(std::uint32_t client) const {
    JournalWriter out(folder_ + "/client-" + std::to_string(client) + ".journal", client);
    Event event;
    event.process = client;
    for (std::int64_t turn = client; turn < turns_; turn += kClients) {
      for (const Op op : {Op::acquire, Op::release}) {
        event.op = op;
        event.time_ns = turn * kTurn_ns + (op == Op::release ? kTurn_ns / 2 : 0);
        ++event.number;
        event.type = EventType::invoke;
        event.lease_ns.reset();
        event.statements.clear();
        out.event(event);
        event.time_ns += kTurn_ns / 4;
        event.type = EventType::ok;
        if (op == Op::acquire) event.lease_ns = 10 * kTurn_ns;
        event.statements = {{"statement", event.time_ns - 2, event.time_ns - 1, 1, 0}};
        out.event(event);
      }
    }
  }
  std::int64_t turns_;
  std::string folder_ = std::filesystem::temp_directory_path().string() + "/holdfast-history-bench";
};

void merge(benchmark::State& state) {
  const Record record(state.range(0));
  for (auto step : state) record.merged();
  state.SetItemsProcessed(state.iterations() * record.events());
}
BENCHMARK(merge)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

void check(benchmark::State& state) {
  const Record record(state.range(0));
  const std::string history = record.merged();
  for (auto step : state) {
    const TrialVerdict verdict = check_history(history);
    if (verdict.judgement == Judgement::violated) state.SkipWithError("the made-up history is wrong");
  }
  state.SetItemsProcessed(state.iterations() * record.events());
}
BENCHMARK(check)->Arg(1'000)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace holdfast
