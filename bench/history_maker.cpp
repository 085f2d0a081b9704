#include "bench/history_maker.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <vector>

#include "history/history.hpp"
#include "history/journal.hpp"

namespace holdfast {
namespace {

constexpr std::uint32_t kStride = 8;  // at least: from an identity of a client to its next
constexpr std::int64_t kStep_ns = 1'000;
constexpr std::int64_t kCoarse_ns = 3'000;

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
  LineSink(const std::string& path, std::uint32_t keys) : out_(path, HistoryHeader{}) {
    for (std::uint32_t key = 0; key < keys; ++key) names_.keys.push_back("k" + std::to_string(key));
  }
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

// Lines and forms as other programs write them: a list of fields, each with its value, in any order.
class ForeignSink : public Sink {
 public:
  ForeignSink(const std::string& path, bool edn, bool shuffled) : out_(path), edn_(edn), shuffled_(shuffled) {}
  void put(const Event& event) override {
    fields_.clear();
    add("type", word(to_text(event.type)));
    add("f", word(to_text(event.op)));
    add("value", edn_ ? "nil" : "null");
    add("process", std::to_string(shuffled_ ? mixed(event.process) % (1U << 30) : event.process));
    add("time", std::to_string(event.time_ns));
    add("key", fmt::format("\"orders-{}\"", mixed(event.key)));
    if (event.token) add("token", std::to_string(*event.token));
    if (event.lease_ns) add(edn_ ? "lease-ms" : "lease_ms", std::to_string(*event.lease_ns / 1'000'000));
    if (shuffled_) std::shuffle(fields_.begin(), fields_.end(), dice_);
    out_ << fmt::format("{{{}}}\n", fmt::join(fields_, edn_ ? ", " : ","));
  }

 private:
  static std::uint32_t mixed(std::uint32_t number) { return (number + 1) * 2654435761U; }
  std::string word(const char* text) const { return edn_ ? fmt::format(":{}", text) : fmt::format("\"{}\"", text); }
  void add(const char* name, const std::string& value) {
    fields_.push_back(edn_ ? fmt::format(":{} {}", name, value) : fmt::format("\"{}\":{}", name, value));
  }

  std::ofstream out_;
  bool edn_;
  bool shuffled_;
  std::mt19937_64 dice_{7};
  std::vector<std::string> fields_;
};

class Maker {
 public:
  Maker(Sink& sink, const MadeHistory& made)
      : sink_(sink), made_(made), left_(made.operations), process_(made.keys * made.clients), tokens_(made.keys) {}

  void run() {
    for (std::uint32_t c = 0; c < process_.size(); ++c) {
      process_[c] = c;
      invoke(c, Op::acquire);
    }
    while (left_ > 0) turn();
    if (made_.violation) hold_both();
  }

 private:
  void turn() {
    const auto client = static_cast<std::uint32_t>(dice_() % process_.size());
    if (dice_() % 100 < made_.indeterminate) {
      complete(client, Op::acquire, EventType::info);
      process_[client] += std::max(kStride, static_cast<std::uint32_t>(process_.size()));
    } else {
      complete(client, Op::acquire, EventType::ok);
      invoke(client, Op::release);
      complete(client, Op::release, EventType::ok);
    }
    invoke(client, Op::acquire);
  }

  // Each at a time of its own, however coarse the clock: what happens at one time is not ordered.
  void hold_both() {
    for (const std::uint32_t client : {0U, 1U}) {
      time_ns_ += kCoarse_ns;
      complete(client, Op::acquire, EventType::ok);
    }
    time_ns_ += kCoarse_ns;
    invoke(0, Op::release);
    time_ns_ += kCoarse_ns;
    complete(0, Op::release, EventType::ok);
  }

  void invoke(std::uint32_t client, Op op) {
    --left_;
    put(client, op, EventType::invoke);
  }
  void complete(std::uint32_t client, Op op, EventType type) { put(client, op, type); }

  void put(std::uint32_t client, Op op, EventType type) {
    time_ns_ += kStep_ns;
    event_.time_ns = made_.shuffled ? time_ns_ / kCoarse_ns * kCoarse_ns : time_ns_;
    event_.process = process_[client];
    event_.key = client / made_.clients;
    event_.op = op;
    event_.type = type;
    event_.token.reset();
    event_.lease_ns.reset();
    if (op == Op::acquire && type == EventType::ok) {
      event_.token = ++tokens_[event_.key];
      event_.lease_ns = kMadeLease_ns;
    }
    sink_.put(event_);
  }

  Sink& sink_;
  MadeHistory made_;
  std::int64_t left_;
  std::mt19937_64 dice_{42};
  std::vector<std::uint32_t> process_;  // by client: its identity
  std::vector<std::uint64_t> tokens_;   // by key
  std::int64_t time_ns_ = 0;
  Event event_;
};

std::unique_ptr<Sink> sink_of(const MadeHistory& made, const std::string& form, const std::string& path) {
  if (form == "journal") return std::make_unique<JournalSink>(path);
  if (form == "edn" || (form == "jsonl" && made.shuffled)) {
    return std::make_unique<ForeignSink>(path, form == "edn", made.shuffled);
  }
  return form == "jsonl" ? std::make_unique<LineSink>(path, made.keys) : nullptr;
}

}  // namespace

bool make_history(const MadeHistory& made, const std::string& form, const std::string& path) {
  const std::unique_ptr<Sink> sink = sink_of(made, form, path);
  if (sink) Maker(*sink, made).run();
  return sink != nullptr;
}

}  // namespace holdfast
