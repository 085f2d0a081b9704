// Histories for tests, written as stories. Times are milliseconds; events may come in any order and are sorted as the
// runner sorts them (time; ties: invocations, completions, faults).
//
//   const auto verdict = HistoryBuilder::run(2000)          // a run of ours, lease 2 s, minima of 0
//                            .acquire(1, 100, 110)          // client 1 asks at 100, is granted at 110
//                            .release(1, 300, 310)
//                            .check();
//   EXPECT_EQ(said(verdict, "mutual_exclusion"), "holds");
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "checker/check.hpp"
#include "history/history.hpp"
#include "tests/checker/said.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
class HistoryBuilder {
 public:
  static HistoryBuilder run(std::int64_t lease_ms) {
    HistoryBuilder b;
    b.header_.foreign = false;
    b.header_.lease_ns = ns(lease_ms);
    b.header_.promises = {"mutual_exclusion", "lease_exclusion", "progress", "resource", "fencing", "ownership"};
    b.header_.minima = {0, 0};
    return b;
  }
  static HistoryBuilder foreign(const std::string& model) {
    HistoryBuilder b;
    b.header_.model = model;
    return b;
  }
  HistoryBuilder& header(const std::function<void(HistoryHeader&)>& change) {
    change(header_);
    return *this;
  }
  // The key, token, lease and statements of the next event.
  HistoryBuilder& on(std::uint32_t key) { return key_ = key, *this; }
  HistoryBuilder& token(std::uint64_t token) { return token_ = token, *this; }
  HistoryBuilder& under(std::uint64_t grant) { return grant_ = grant, *this; }  // for writes
  HistoryBuilder& lease(std::int64_t ms) { return lease_ns_ = ns(ms), *this; }
  HistoryBuilder& background() { return background_ = true, *this; }  // next event: a watchdog's renewal
  HistoryBuilder& shared() { return shared_ = true, *this; }          // next event: a read lock's acquire
  HistoryBuilder& rows(std::int64_t rows) { return statements_ = {{"statement", 0, 0, rows, 0}}, *this; }
  HistoryBuilder& statement(std::int64_t sent, std::int64_t seen, std::int64_t rows) {
    return statements_.push_back({"statement", ns(sent), ns(seen), rows, 0}), *this;
  }

  HistoryBuilder& failing(const std::string& name, int error) {
    return statements_.push_back({name, 0, 0, 0, error}), *this;
  }

  HistoryBuilder& acquire(std::uint32_t client, std::int64_t sent, std::int64_t seen) {
    return op(client, Op::acquire, sent, seen, EventType::ok);
  }
  HistoryBuilder& refused(std::uint32_t client, std::int64_t sent, std::int64_t seen, Reason why = Reason::busy) {
    return op(client, Op::acquire, sent, seen, EventType::fail, why);
  }
  HistoryBuilder& renew(std::uint32_t client, std::int64_t sent, std::int64_t seen) {
    return op(client, Op::renew, sent, seen, EventType::ok);
  }
  HistoryBuilder& release(std::uint32_t client, std::int64_t sent, std::int64_t seen) {
    return op(client, Op::release, sent, seen, EventType::ok);
  }
  HistoryBuilder& not_held(std::uint32_t client, Op what, std::int64_t sent, std::int64_t seen) {
    return op(client, what, sent, seen, EventType::fail, Reason::not_held);
  }
  HistoryBuilder& uncertain(std::uint32_t client, Op what, std::int64_t sent, std::int64_t seen) {
    return op(client, what, sent, seen, EventType::info, Reason::timeout);
  }
  HistoryBuilder& write(std::uint32_t client, std::int64_t sent, std::int64_t seen) {
    return op(client, Op::write, sent, seen, EventType::ok);
  }
  HistoryBuilder& invoke(std::uint32_t client, Op what, std::int64_t sent) {
    Event event = begin_event(client, what, sent, EventType::invoke);
    event.number = ++numbers_[client];
    events_.push_back(event);
    token_.reset();
    return *this;
  }
  HistoryBuilder& op(std::uint32_t client, Op what, std::int64_t sent, std::int64_t seen, EventType type,
                     Reason reason = Reason::none) {
    const auto token = token_;
    if (what != Op::write) token_.reset();
    invoke(client, what, sent);
    Event event = begin_event(client, what, seen, type);
    event.number = numbers_[client];
    event.reason = reason;
    event.token = token;
    event.statements = statements_;
    events_.push_back(event);
    statements_.clear();
    background_ = shared_ = false;
    return *this;
  }
  // The leader that a client's observer saw; -1: none.
  HistoryBuilder& observed(std::uint32_t client, std::int64_t time, int leader) {
    Event event = begin_event(client, Op::acquire, time, EventType::ok);
    event.actor = Actor::observer;
    if (leader >= 0) event.holder = static_cast<std::uint32_t>(leader);
    events_.push_back(event);
    return *this;
  }
  // Evaluations of an assertion, `count` so far; ok: true, fail: false, info: only announced.
  HistoryBuilder& asserted(std::uint32_t client, std::int64_t time, EventType result, const Evaluated& evaluated) {
    Event event = begin_event(client, Op::acquire, time, result);
    event.actor = Actor::assertion;
    event.evaluated = evaluated;
    events_.push_back(event);
    return *this;
  }
  HistoryBuilder& leave(std::uint32_t client, std::int64_t time, Reason reason = Reason::none) {
    events_.push_back(begin_event(client, Op::leave, time, EventType::ok));
    events_.back().reason = reason;
    return *this;
  }
  HistoryBuilder& nemesis(FaultStep step, std::int64_t time, const std::string& fault = "",
                          const std::string& cause = "", std::vector<std::uint32_t> clients = {}) {
    Event event;
    event.actor = Actor::nemesis;
    event.type = EventType::info;
    event.time_ns = ns(time);
    event.step = step;
    event.fault = fault;
    event.cause = cause;
    event.clients = std::move(clients);
    event.detail = fault.empty() ? "" : fault + " measured";
    events_.push_back(event);
    return *this;
  }
  // A total wait for a processor of `waited`, in a run that measured such waits. No clients: the server's.
  HistoryBuilder& stall(std::vector<std::uint32_t> clients, std::int64_t from, std::int64_t to, std::int64_t waited) {
    measured().nemesis(FaultStep::stall, from, "scheduler", "", std::move(clients));
    events_.back().until_ns = ns(to);
    events_.back().waited_ns = ns(waited);
    return *this;
  }
  HistoryBuilder& measured() { return header_.stall_bound_ns = ns(100), *this; }
  HistoryBuilder& fault(const std::string& name, const std::string& cause, std::vector<std::uint32_t> clients,
                        std::int64_t from, std::int64_t to) {
    header_.faults_planned = true;
    nemesis(FaultStep::begin, from, name, cause, clients);
    return nemesis(FaultStep::end, to, name, cause, clients);
  }
  // The faults so far stop their victims.
  HistoryBuilder& stopping() {
    for (Event& event : events_) event.stops = event.step == FaultStep::begin;
    return *this;
  }
  // The faults so far are aimed at grants.
  HistoryBuilder& aimed(FaultAim aim = FaultAim::reply) {
    for (Event& event : events_) {
      if (event.actor == Actor::nemesis && event.step == FaultStep::begin) event.aim = aim;
    }
    return *this;
  }
  // The resource's log: the write (its operation `number`) of the grant that is the client's operation `grant`.
  HistoryBuilder& accepted(std::uint32_t client, std::uint64_t grant, std::int64_t base, std::int64_t value,
                           std::uint64_t number = 0) {
    Event event;
    event.actor = Actor::resource;
    event.type = EventType::ok;
    event.op = Op::write;
    event.time_ns = ns(1'000'000);
    event.key = key_;
    event.client = client;
    event.grant = grant;
    event.number = number;
    event.accepted = {++sequence_, base, value};
    event.token = token_;
    token_.reset();
    events_.push_back(event);
    return *this;
  }

  std::vector<Event> events() const {
    std::vector<Event> sorted = events_;
    const auto rank = [](const Event& e) {
      return e.actor == Actor::nemesis ? 2 : e.type == EventType::invoke ? 0 : 1;
    };
    std::stable_sort(sorted.begin(), sorted.end(), [&](const Event& a, const Event& b) {
      return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : rank(a) < rank(b);
    });
    for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i].index = i;
    return sorted;
  }
  void save(const std::string& path) const {
    Names names;
    for (int i = 0; i < 128; ++i) names.processes.id_of(std::to_string(i));
    for (int i = 0; i < 8; ++i) names.keys.push_back("k" + std::to_string(i));
    HistoryWriter out(path, header_);
    for (const Event& event : events()) out.write(event, names);
    out.finish();
  }
  TrialVerdict check() const {
    const TemporaryFolder folder;
    save(folder.file("h.jsonl"));
    return check_history(folder.file("h.jsonl"), header_.foreign ? header_.model : "");
  }

 private:
  static std::int64_t ns(std::int64_t ms) { return ms * 1'000'000; }
  Event begin_event(std::uint32_t client, Op what, std::int64_t time, EventType type) {
    Event event;
    event.time_ns = ns(time);
    event.type = type;
    event.op = what;
    event.process = event.client = client;
    event.key = key_;
    event.token = token_;
    event.lease_ns = lease_ns_;
    event.background = background_;
    event.shared = shared_;
    event.grant = grant_;
    return event;
  }
  HistoryHeader header_;
  std::vector<Event> events_;
  std::map<std::uint32_t, std::uint64_t> numbers_;
  std::uint32_t key_ = 0;
  std::uint64_t grant_ = 0;
  std::optional<std::uint64_t> token_;
  OptionalLease lease_ns_;
  std::vector<Statement> statements_;
  bool background_ = false;
  bool shared_ = false;
  std::uint64_t sequence_ = 0;
};

}  // namespace holdfast
