// Measures a client's cost of recording: one event, and one statement's evidence, into the mapped file.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "history/journal.hpp"

namespace holdfast {
namespace {

// A new file every so often, so that the disk does not fill; the cost of new chunks is in the figure.
constexpr std::int64_t kEventsAFile = 1'000'000;

class Recorder {
 public:
  Recorder() { renew(); }
  ~Recorder() {
    writer_.reset();
    std::filesystem::remove(path_);
  }
  JournalWriter& writer() {
    if (++count_ % kEventsAFile == 0) renew();
    return *writer_;
  }

 private:
  void renew() {
    writer_.reset();
    writer_ = std::make_unique<JournalWriter>(path_, 0);
  }
  std::string path_ = std::filesystem::temp_directory_path().string() + "/holdfast-bench.journal";
  std::unique_ptr<JournalWriter> writer_;
  std::int64_t count_ = 0;
};

void record_event(benchmark::State& state) {
  Recorder recorder;
  Event event;
  event.token = 7;
  for (auto step : state) {
    ++event.time_ns;
    recorder.writer().event(event);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(record_event);

void record_statement(benchmark::State& state) {
  Recorder recorder;
  const Statement statement{"delete_expired", 1, 2, 3, 0};
  for (auto step : state) recorder.writer().statement(statement);
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(record_statement);

}  // namespace
}  // namespace holdfast
