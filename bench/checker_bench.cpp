// The checker's speed and memory on histories of any length: five clients that always wait for one lock, a random one
// of them gets it, one acquire in a hundred has no known outcome (its identity retires).
//
//   checker_bench make journal 10000000 FILE          // or jsonl; operations, not events
//   checker_bench make jsonl 10000 FILE violation     // two hold it at the end
//   checker_bench check promises FILE                 // beliefs, leases and fencing, as in a run of ours
//   checker_bench check plain FILE                    // any model of docs/history.md
//
// `check` prints the verdict, the processor time and the peak memory of this process, which does nothing else.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>

#include "checker/check.hpp"
#include "history/history.hpp"
#include "history/journal.hpp"
#include "history/open_history.hpp"

namespace holdfast {
namespace {

constexpr std::uint32_t kClients = 5;
constexpr std::uint32_t kStride = 8;  // a client's next identity
constexpr std::int64_t kStep_ns = 1'000;
constexpr std::int64_t kLease_ns = 1'000'000'000;

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void put(const Event& event) = 0;
};

class JournalSink : public Sink {
 public:
  explicit JournalSink(const std::string& path) : out_(path, 0) {}
  void put(const Event& event) override { out_.event(event); }

 private:
  JournalWriter out_;
};

class LineSink : public Sink {
 public:
  explicit LineSink(const std::string& path) : out_(path, HistoryHeader{}) { names_.keys = {"k0"}; }
  ~LineSink() override { out_.finish(); }
  void put(const Event& event) override {
    Event named = event;
    named.client = named.process;
    while (names_.processes.size() <= event.process) names_.processes.id_of(names_.processes.size());
    named.index = index_++;
    out_.write(named, names_);
  }

 private:
  HistoryWriter out_;
  Names names_;
  std::uint64_t index_ = 0;
};

class Maker {
 public:
  Maker(Sink& sink, std::int64_t operations) : sink_(sink), left_(operations) {}

  void run(bool violation) {
    for (std::uint32_t c = 0; c < kClients; ++c) {
      process_[c] = c;
      invoke(c, Op::acquire);
    }
    while (left_ > 0) turn();
    if (!violation) return;
    complete(0, Op::acquire, EventType::ok);
    complete(1, Op::acquire, EventType::ok);
    invoke(0, Op::release);
    complete(0, Op::release, EventType::ok);
  }

 private:
  void turn() {
    const std::uint32_t client = static_cast<std::uint32_t>(dice_() % kClients);
    if (dice_() % 100 == 0) {
      complete(client, Op::acquire, EventType::info);
      process_[client] += kStride;
    } else {
      complete(client, Op::acquire, EventType::ok);
      invoke(client, Op::release);
      complete(client, Op::release, EventType::ok);
    }
    invoke(client, Op::acquire);
  }

  void invoke(std::uint32_t client, Op op) {
    --left_;
    put(client, op, EventType::invoke);
  }
  void complete(std::uint32_t client, Op op, EventType type) { put(client, op, type); }

  void put(std::uint32_t client, Op op, EventType type) {
    event_.time_ns = time_ns_ += kStep_ns;
    event_.process = process_[client];
    event_.op = op;
    event_.type = type;
    event_.token.reset();
    event_.lease_ns.reset();
    if (op == Op::acquire && type == EventType::ok) {
      event_.token = ++token_;
      event_.lease_ns = kLease_ns;
    }
    sink_.put(event_);
  }

  Sink& sink_;
  std::int64_t left_;
  std::mt19937_64 dice_{42};
  std::uint32_t process_[kClients]{};
  std::int64_t time_ns_ = 0;
  std::uint64_t token_ = 0;
  Event event_;
};

// A history with what a run of ours would promise of it.
class Promising : public HistorySource {
 public:
  explicit Promising(const std::string& path) : source_(open_history(path)) {
    header_.foreign = false;
    header_.lease_ns = kLease_ns;
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

int make(int argc, char** argv) {
  if (argc < 5) return 2;
  const std::unique_ptr<Sink> sink = std::strcmp(argv[2], "journal") == 0
                                         ? std::unique_ptr<Sink>(std::make_unique<JournalSink>(argv[4]))
                                         : std::make_unique<LineSink>(argv[4]);
  Maker(*sink, std::atoll(argv[3])).run(argc > 5);
  return 0;
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

}  // namespace
}  // namespace holdfast

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const int code = what == "make" ? holdfast::make(argc, argv) : what == "check" ? holdfast::check(argc, argv) : 2;
  if (code == 2) std::fprintf(stderr, "see the head of bench/checker_bench.cpp\n");
  return code;
}
