#include "reports/trace_events.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "history/history.hpp"
#include "reports/shortened.hpp"
#include "reports/visible_json.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostInName = 200;

double microseconds(std::int64_t time_ns) {
  return static_cast<double>(time_ns) / 1e3;
}

std::string trace_name(const std::string& text) {
  return shortened(text, kMostInName);
}

// Slices in the order of their beginnings, dealt to the first lane that is free by then.
std::vector<std::vector<Slice>> lanes_of(std::vector<Slice> slices) {
  std::stable_sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) { return a.from_ns < b.from_ns; });
  std::vector<std::vector<Slice>> lanes;
  for (auto& slice : slices) {
    slice.to_ns = std::max(slice.from_ns, slice.to_ns);
    const auto free =
        std::find_if(lanes.begin(), lanes.end(), [&](const auto& lane) { return lane.back().to_ns <= slice.from_ns; });
    if (free != lanes.end()) {
      free->push_back(std::move(slice));
    } else {
      lanes.emplace_back().push_back(std::move(slice));
    }
  }
  return lanes;
}

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

void TraceEvents::event(const nlohmann::ordered_json& event) {
  out_ += out_.empty() ? "\n" : ",\n";
  out_ += visible_json(event);
}

void TraceEvents::process(int pid, const std::string& name, int position) {
  event({{"ph", "M"}, {"name", "process_name"}, {"pid", pid}, {"args", {{"name", trace_name(name)}}}});
  event({{"ph", "M"}, {"name", "process_sort_index"}, {"pid", pid}, {"args", {{"sort_index", position}}}});
}

void TraceEvents::track(int pid, const std::string& name, std::vector<Slice> slices) {
  int number = 0;
  for (const auto& lane : lanes_of(std::move(slices))) {
    const int tid = next_tid_++;
    const std::string title = ++number == 1 ? name : name + " " + std::to_string(number);
    event({{"ph", "M"}, {"name", "thread_name"}, {"pid", pid}, {"tid", tid}, {"args", {{"name", trace_name(title)}}}});
    event({{"ph", "M"}, {"name", "thread_sort_index"}, {"pid", pid}, {"tid", tid}, {"args", {{"sort_index", tid}}}});
    for (const auto& one : lane) {
      slice(pid, tid, one, std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
    }
  }
}

void TraceEvents::slice(int pid, int tid, const Slice& slice_, std::int64_t least_ns, std::int64_t most_ns) {
  const std::int64_t from_ns = std::clamp(slice_.from_ns, least_ns, most_ns);
  const std::int64_t to_ns = std::clamp(slice_.to_ns, from_ns, most_ns);
  nlohmann::ordered_json begin{{"ph", "B"},  {"name", trace_name(slice_.name)}, {"cat", "holdfast"}, {"pid", pid},
                               {"tid", tid}, {"ts", microseconds(from_ns)}};
  if (!slice_.args.empty()) begin["args"] = slice_.args;
  event(begin);
  std::int64_t at_ns = from_ns;
  for (const auto& inner : slice_.inner) {
    slice(pid, tid, inner, at_ns, to_ns);
    at_ns = std::clamp(inner.to_ns, at_ns, to_ns);
  }
  event({{"ph", "E"}, {"pid", pid}, {"tid", tid}, {"ts", microseconds(to_ns)}});
}

void TraceEvents::counter(int pid, const std::string& name, std::vector<std::pair<std::int64_t, int>> changes) {
  std::sort(changes.begin(), changes.end());
  const std::string title = trace_name(name);
  const auto tell = [&](std::int64_t time_ns, int value) {
    event({{"ph", "C"}, {"name", title}, {"pid", pid}, {"ts", microseconds(time_ns)}, {"args", {{"holders", value}}}});
  };
  tell(changes.empty() ? 0 : std::min<std::int64_t>(0, changes.front().first), 0);
  int value = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    value += changes[i].second;
    const bool last_then = i + 1 == changes.size() || changes[i + 1].first != changes[i].first;
    if (last_then) tell(changes[i].first, value);
  }
}

std::string TraceEvents::take(const nlohmann::ordered_json& other_data) && {
  return "{\"displayTimeUnit\": \"ms\", \"otherData\": " + visible_json(other_data) + ", \"traceEvents\": [" + out_ +
         "\n]}\n";
}

TraceOperations trace_operations(const InputFile& history, std::int64_t from_ns, std::int64_t to_ns) {
  HistoryReader in(history);
  OperationTracks tracks(in.names(), from_ns, to_ns);
  Event event;
  while (in.next(event)) tracks.take(event);
  return tracks.finish();
}

}  // namespace holdfast
