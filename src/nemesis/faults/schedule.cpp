// The clients act only by a schedule, word by word, in the notation of `explore`: `A A +2.6s B A!lost B`. A letter is a
// client's next statement including its answer; A is client 0. A time is waited for. This repeats a schedule found with
// simulated clients with real processes in real time.
//
// A statement that is not answered immediately (it waits for a row lock) needs two letters: one starts it, at the other
// it must have been answered because of what happened in between. Without words the victims are blocked for the time in
// the plan.
//
// Clients wait for a turn in the control page (src/control) before each statement and before each operation, since a
// belief begins and ends with the client's operations.
//
// Not possible with real processes: delays shorter than a statement (`!late`, `!arrives`), choosing a deadlock's
// victim, and stopping between an answer and the reading of a clock. A schedule that they do not follow makes the trial
// a harness error that names the word.
#include <set>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "artifact/schedule_word.hpp"
#include "nemesis/client_capabilities.hpp"
#include "nemesis/client_fault.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kPatience_ms = 5'000;  // limit for a client to reach its next statement, or to be answered
constexpr std::int64_t kWaits_ms = 300;       // a longer statement counts as waiting
constexpr std::int64_t kLook_ms = 1;

class Schedule : public ClientFault {
 public:
  explicit Schedule(std::vector<Word> words) : words_(std::move(words)) {}

  bool carry_on(World& world) override {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::string why = follow(world, words_[i]);
      if (why.empty()) continue;
      throw HarnessError("word " + std::to_string(i + 1) + ", '" + to_text(words_[i]) +
                         "', could not be followed: " + why);
    }
    return !words_.empty();
  }

  bool ends_itself() const override { return true; }

 private:
  void begin(World& world, std::uint32_t client) override { world.use<StatementGate>().gate(client, true); }
  bool begun(World& world, std::uint32_t client) override { return world.use<StatementGate>().gated(client).on; }
  std::string in_force() const override {
    return words_.empty() ? "no statement starts" : "statements start only by the schedule";
  }
  void end(World& world, std::uint32_t client) override { world.use<StatementGate>().gate(client, false); }
  bool ended(World& world, std::uint32_t client) override { return !world.use<StatementGate>().gated(client).on; }
  std::string over() const override { return "all clients run freely"; }

  std::string follow(World& world, const Word& word);
  std::string step(World& world, std::uint32_t client, PointAction how);
  static std::string cut(World& world, std::uint32_t client);
  template <class Seen>
  static bool see(World& world, std::int64_t patience_ms, const Seen& seen);

  std::vector<Word> words_;
  std::set<std::uint32_t> waiting_;  // in a statement that was not answered immediately
};

template <class Seen>
bool Schedule::see(World& world, std::int64_t patience_ms, const Seen& seen) {
  const std::int64_t until_ns = world.time().now_ns() + patience_ms * 1'000'000;
  return poll_until(seen, kLook_ms, [&] { return world.time().closing() || world.time().now_ns() >= until_ns; });
}

// Empty: it was followed.
std::string Schedule::follow(World& world, const Word& word) {
  const std::uint32_t client = word.actor / 2U;
  switch (word.kind) {
    case WordKind::time:
      return world.time().wait_ms((word.time_us + 999) / 1000) ? ""
                                                               : "the trial is over; remedy: use a longer duration_ms";
    case WordKind::lost:
      return step(world, client, PointAction::lose_reply);
    case WordKind::cut:
      return cut(world, client);
    case WordKind::crash:
      world.use<ClientProcesses>().kill(client);
      return "";
    case WordKind::step:
      return step(world, client, PointAction::go_on);
    case WordKind::late:
    case WordKind::arrives:
    case WordKind::victim:
    case WordKind::ahead:
    case WordKind::behind:
      break;
  }
  return "it is not possible with real processes";
}

std::string Schedule::step(World& world, std::uint32_t client, PointAction how) {
  if (world.candidates().gone(client)) return "client " + std::to_string(client) + " is gone";
  const GatedClient before = world.use<StatementGate>().gated(client);
  if (!before.on)
    return "client " + std::to_string(client) + " is not under the schedule's control; remedy: use the target everyone";
  const auto answered = [&](std::uint32_t statements) {
    return [&world, client, statements] { return world.use<StatementGate>().gated(client).answered >= statements; };
  };
  if (waiting_.erase(client) != 0) {
    return see(world, kPatience_ms, answered(before.begun)) ? "" : "its statement is not answered";
  }
  if (!see(world, kPatience_ms, [&] { return world.use<StatementGate>().gated(client).stands; })) {
    return "client " + std::to_string(client) + " does not reach a statement";
  }
  const std::int64_t lost = world.use<ClientSessions>().replies_lost(client);
  world.use<StatementGate>().give_turn(client, how);
  const bool at_once = see(world, kWaits_ms, answered(before.begun + 1));
  if (!at_once) waiting_.insert(client);
  if (how != PointAction::lose_reply || (at_once && world.use<ClientSessions>().replies_lost(client) > lost)) return "";
  return "its reply was not lost";
}

std::string Schedule::cut(World& world, std::uint32_t client) {
  auto& sessions = world.use<ClientSessions>();
  const auto own = sessions.of(client);
  if (own.empty()) return "client " + std::to_string(client) + " has no session yet";
  sessions.end(own.front());
  return see(world, kPatience_ms, [&] { return !sessions.alive(own.front()); }) ? "" : "its session is still open";
}

bool possible(const Word& word) {
  return word.actor % 2 == 0 &&
         (word.kind == WordKind::step || word.kind == WordKind::time || word.kind == WordKind::lost ||
          word.kind == WordKind::cut || word.kind == WordKind::crash);
}

std::vector<Word> words_of(ObjectReader& settings) {
  const std::string text = settings.text("words").value_or("");
  if (text.empty()) return {};
  const JsonNode& node = *settings.node("words");
  std::vector<Word> words;
  try {
    words = parse_words(text);
  } catch (const BadInput& bad) {
    node.refuse(bad.what());
  }
  for (const auto& word : words) {
    if (!possible(word)) node.refuse("'" + to_text(word) + "' is not possible with real processes");
  }
  return words;
}

}  // namespace

extern const FaultType fault_schedule;
const FaultType fault_schedule{
    .about = "starts the clients' statements in the order of a schedule (docs/explore.md)",
    .cause = "",
    .settings = R"({"properties": {"words": {"type": "string", "description":
      "A, B: the next statement of client 0, 1; A!lost: its reply is lost; A!cut: its session ends; A!crash; +1.5s"
      }}, "required": []})",
    .example = R"({"at": {"time_ms": 0}, "target": "everyone", "words": "A B +0.1s A"})",
    .needs = {Capability::statement_gate, Capability::client_processes, Capability::client_sessions},
    .make = [](ObjectReader& settings) { return std::unique_ptr<Fault>(new Schedule(words_of(settings))); },
};

}  // namespace holdfast
