#include "reports/trace_operations.hpp"

#include <algorithm>
#include <utility>

#include "history/history.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostOperations = 200'000;

std::string answer_of(const Event& event) {
  if (event.type == EventType::ok) return "ok";
  std::string out = event.type == EventType::fail ? "failed" : "uncertain";
  if (event.reason != Reason::none) out += std::string(", ") + to_text(event.reason);
  return out;
}

Slice statement_slice(const Statement& statement) {
  Slice out{statement.call_ns, statement.return_ns, statement.name, {}, {}};
  if (statement.rows >= 0) out.args["rows"] = statement.rows;
  if (statement.error != 0) out.args["error"] = statement.error;
  if (statement.rows < 0 && statement.error == 0) out.args["answer"] = "none seen";
  return out;
}

class OperationTracks {
 public:
  OperationTracks(const Names& names, std::int64_t from_ns, std::int64_t to_ns)
      : names_(names), from_ns_(from_ns), to_ns_(to_ns) {}

  void take(const Event& event) {
    last_ns_ = std::max(last_ns_, event.time_ns);
    if (event.actor == Actor::nemesis) nemesis(event);
    if (event.actor != Actor::client) return;
    if (event.op == Op::leave) {
      add(event, {event.time_ns, event.time_ns, "leave", arguments(event), {}});
    } else if (event.type == EventType::invoke) {
      open_[{event.process, event.background}] = event;
    } else {
      completed(event);
    }
  }

  TraceOperations finish() {
    for (const auto& [who, event] : open_) {
      add(event, {event.time_ns, last_ns_, std::string(to_text(event.op)) + ": no answer", arguments(event), {}});
    }
    return std::move(out_);
  }

 private:
  nlohmann::ordered_json arguments(const Event& event) const {
    nlohmann::ordered_json out{{"#", event.index}};
    out["key"] = names_.keys.at(event.key);
    out["process"] = names_.processes.at(event.process);
    if (event.token) out["token"] = std::to_string(*event.token);
    if (event.lease_ns) out["lease_ms"] = *event.lease_ns / 1'000'000;
    return out;
  }

  void completed(const Event& event) {
    const auto begun = open_.find({event.process, event.background});
    if (begun == open_.end()) return;
    Slice slice{begun->second.time_ns,
                event.time_ns,
                std::string(to_text(event.op)) + ": " + answer_of(event),
                arguments(event),
                {}};
    for (const auto& statement : event.statements) slice.inner.push_back(statement_slice(statement));
    open_.erase(begun);
    add(event, std::move(slice));
  }

  void add(const Event& event, Slice slice) {
    if (slice.to_ns < from_ns_ || slice.from_ns > to_ns_ || count_ >= kMostOperations) {
      out_.left_out = true;
      return;
    }
    ++count_;
    ClientTracks& tracks = out_.by_client[event.client];
    (event.background ? tracks.watchdog : tracks.operations).push_back(std::move(slice));
  }

  // A fault's beginning and end make a span, which the verdict has; a stall is a span itself.
  void nemesis(const Event& event) {
    if (event.step == FaultStep::begin || event.step == FaultStep::end) return;
    const std::string name = event.fault.empty() ? to_text(event.step) : event.fault + ": " + to_text(event.step);
    Slice slice{event.time_ns, std::max(event.time_ns, event.until_ns), name, {}, {}};
    if (!event.detail.empty()) slice.args["detail"] = event.detail;
    if (!event.clients.empty()) slice.args["clients"] = event.clients;
    out_.nemesis.push_back(std::move(slice));
  }

  const Names& names_;
  std::int64_t from_ns_;
  std::int64_t to_ns_;
  std::int64_t last_ns_ = 0;
  std::size_t count_ = 0;
  std::map<std::pair<std::uint32_t, bool>, Event> open_;  // by process, and whether it is its watchdog's
  TraceOperations out_;
};

}  // namespace

TraceOperations trace_operations(const std::string& history, std::int64_t from_ns, std::int64_t to_ns) {
  HistoryReader in(history);
  OperationTracks tracks(in.names(), from_ns, to_ns);
  Event event;
  while (in.next(event)) tracks.take(event);
  return tracks.finish();
}

}  // namespace holdfast
