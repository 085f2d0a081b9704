// Makes long histories (history_maker.hpp), and checks and scans them in a process that does nothing else.
//
//   checker_bench make journal 10000000 FILE                     // or jsonl, edn; operations, not events
//   checker_bench make jsonl 10000 FILE violation                // two hold it at the end
//   checker_bench make jsonl 1000000 FILE keys=100 indeterminate=0 shuffled
//   checker_bench check promises FILE                            // beliefs, leases and fencing, as in a run of ours
//   checker_bench check plain FILE                               // any model of docs/history.md
//   checker_bench scan FILE                                      // counts its lines
//   checker_bench verdicts MODEL FILE...                         // as JSON, or why it is refused; -: the file's model
//
// `check` prints the verdict, the processor time and the peak memory of this process.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "artifact/error.hpp"
#include "artifact/verdict.hpp"
#include "bench/history_maker.hpp"
#include "checker/check.hpp"
#include "history/open_history.hpp"

namespace holdfast {
namespace {

// A history with what a run of ours would promise of it.
class Promising : public HistorySource {
 public:
  explicit Promising(const std::string& path) : source_(open_history(path)) {
    header_.foreign = false;
    header_.lease_ns = kMadeLease_ns;
    header_.promises = {"mutual_exclusion", "lease_exclusion", "fencing"};
  }
  const HistoryHeader& header() const override { return header_; }
  const Names& names() const override { return source_->names(); }
  const std::string& path() const override { return source_->path(); }
  std::uint64_t position() const override { return source_->position(); }
  std::string place_at(std::uint64_t position) const override { return source_->place_at(position); }
  bool timed() const override { return source_->timed(); }
  bool next(Event& event) override { return source_->next(event); }

 private:
  std::unique_ptr<HistorySource> source_;
  HistoryHeader header_;
};

// "keys=100": the number; a word alone stands for itself.
void read_option(const std::string& text, MadeHistory& made) {
  const auto number = [&] { return static_cast<std::uint32_t>(std::stoul(text.substr(text.find('=') + 1))); };
  if (text.rfind("keys=", 0) == 0) made.keys = number();
  if (text.rfind("clients=", 0) == 0) made.clients = number();
  if (text.rfind("indeterminate=", 0) == 0) made.indeterminate = number();
  if (text == "shuffled") made.shuffled = true;
  if (text == "violation") made.violation = true;
}

int make(int argc, char** argv) {
  if (argc < 5) return 2;
  MadeHistory made;
  made.operations = std::atoll(argv[3]);
  for (int i = 5; i < argc; ++i) read_option(argv[i], made);
  return make_history(made, argv[2], argv[4]) ? 0 : 2;
}

// Measures a mere search for line ends: no check of the file can be quicker.
int scan(int argc, char** argv) {
  if (argc < 3) return 2;
  const int file = ::open(argv[2], O_RDONLY | O_CLOEXEC);
  std::vector<char> piece(std::size_t{256} << 10);
  std::int64_t lines = 0;
  for (ssize_t got = 0; file >= 0 && (got = ::read(file, piece.data(), piece.size())) > 0;) {
    const char* const end = piece.data() + got;
    for (const char* at = piece.data(); at < end; ++lines) {
      const void* const found = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
      at = found != nullptr ? static_cast<const char*>(found) + 1 : end;
    }
  }
  return lines > 0 ? 0 : 1;
}

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
}

int check(int argc, char** argv) {
  if (argc < 4) return 2;
  const bool promises = std::strcmp(argv[2], "promises") == 0;
  const std::unique_ptr<HistorySource> source =
      promises ? std::unique_ptr<HistorySource>(std::make_unique<Promising>(argv[3])) : open_history(argv[3]);
  const TrialVerdict verdict = check_history(*source, promises ? "" : argv[2]);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  std::printf("%s %lld operations %.3f s %.1f MiB\n", to_text(verdict.judgement),
              static_cast<long long>(verdict.measures.operations), seconds(used.ru_utime) + seconds(used.ru_stime),
              static_cast<double>(used.ru_maxrss) / 1024);
  return 0;
}

// For comparing two builds: whatever `holdfast check --json` would say, or why it would not.
int verdicts(int argc, char** argv) {
  for (int i = 3; i < argc; ++i) {
    try {
      const TrialVerdict verdict = check_history(argv[i], std::strcmp(argv[2], "-") == 0 ? "" : argv[2]);
      const auto replace = nlohmann::json::error_handler_t::replace;
      std::printf("%s\n", to_json(verdict).dump(-1, ' ', false, replace).c_str());
    } catch (const BadInput& e) {
      std::printf("refused: %s\n", e.what());
    }
  }
  return 0;
}

}  // namespace
}  // namespace holdfast

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const int code = what == "make"       ? holdfast::make(argc, argv)
                   : what == "check"    ? holdfast::check(argc, argv)
                   : what == "scan"     ? holdfast::scan(argc, argv)
                   : what == "verdicts" ? holdfast::verdicts(argc, argv)
                                        : 2;
  if (code == 2) std::fprintf(stderr, "see the head of bench/checker_bench.cpp\n");
  return code;
}
