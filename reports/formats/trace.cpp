// trace.json, for https://ui.perfetto.dev or chrome://tracing: of each trial in which something was violated. The first
// tracks are what it is about: the violations, and for each key a counter of its holders, where 2 is the bug. Then the
// faults; then of each client its belief on a track of its own, and its operations with their statements inside.
#include <limits>
#include <map>

#include "artifact/run_directory.hpp"
#include "reports/format.hpp"
#include "reports/narration.hpp"
#include "reports/sentence.hpp"
#include "reports/trace_events.hpp"

namespace holdfast {
namespace {

constexpr int kVerdictPid = 1;
constexpr int kFaultsPid = 2;
constexpr int kFirstClientPid = 10;

using Args = nlohmann::ordered_json;

void write_violations(const TrialVerdict& verdict, TraceEvents& out) {
  std::vector<Slice> slices;
  for (const auto& property : verdict.properties) {
    for (const auto& w : property.witnesses) {
      Args args{{"key", w.key}, {"clients", w.clients}, {"events", w.indices}, {"text", w.text}};
      slices.push_back({w.from_ns, w.to_ns, property.property + (w.kind.empty() ? "" : ": " + w.kind), args, {}});
    }
  }
  out.track(kVerdictPid, "violations", std::move(slices));
}

void write_holders(const Timeline& timeline, TraceEvents& out) {
  std::map<std::string, std::vector<std::pair<std::int64_t, int>>> changes;
  for (const auto& span : timeline.spans) {
    if (span.to_ns <= span.from_ns) continue;
    changes[span.key].emplace_back(span.from_ns, 1);
    changes[span.key].emplace_back(span.to_ns, -1);
  }
  for (auto& [key, all] : changes) out.counter(kVerdictPid, "holders of " + key, std::move(all));
}

void write_faults(const Timeline& timeline, std::vector<Slice> nemesis, TraceEvents& out) {
  std::vector<Slice> slices;
  for (const auto& fault : timeline.faults) {
    const std::string whom = fault.clients.empty() ? "" : " on " + clients_text(fault.clients);
    slices.push_back({fault.from_ns, fault.to_ns, fault.fault + whom, {{"detail", fault.detail}}, {}});
  }
  out.track(kFaultsPid, "in force", std::move(slices));
  out.track(kFaultsPid, "other events", std::move(nemesis));
}

Slice belief_slice(const Span& span) {
  Slice out{span.from_ns, span.to_ns, "holds " + span.key, {{"grant", span.grant_index}, {"end", span.end_index}}, {}};
  if (span.lease_end_ns == 0) return out;
  out.args["lease_end_ms"] = static_cast<double>(span.lease_end_ns) / 1e6;
  const char* over = span.doubts.any() ? "its lease may have expired" : "its lease has expired";
  if (span.lease_end_ns < span.to_ns) out.inner.push_back({span.lease_end_ns, span.to_ns, over, {}, {}});
  return out;
}

void write_clients(const Timeline& timeline, TraceOperations operations, TraceEvents& out) {
  std::map<std::uint32_t, std::vector<Slice>> beliefs;
  for (const auto& span : timeline.spans) beliefs[span.client].push_back(belief_slice(span));
  for (const auto& [client, tracks] : operations.by_client) beliefs[client];
  for (auto& [client, belief] : beliefs) {
    const int pid = kFirstClientPid + static_cast<int>(client);
    out.process(pid, "client " + std::to_string(client), pid);
    out.track(pid, "belief", std::move(belief));
    ClientTracks& tracks = operations.by_client[client];
    out.track(pid, "operations", std::move(tracks.operations));
    out.track(pid, "watchdog", std::move(tracks.watchdog));
  }
}

// A timeline that was cut is of the first violation's neighbourhood; so are the operations then.
std::pair<std::int64_t, std::int64_t> stretch_of(const Timeline& timeline) {
  std::int64_t from_ns = std::numeric_limits<std::int64_t>::max();
  std::int64_t to_ns = 0;
  for (const auto& span : timeline.spans) {
    from_ns = std::min(from_ns, span.from_ns);
    to_ns = std::max(to_ns, span.to_ns);
  }
  if (!timeline.cut || to_ns == 0) return {0, std::numeric_limits<std::int64_t>::max()};
  return {from_ns, to_ns};
}

std::string trace_of_trial(const FormatInput& in, const Cell& cell, const TrialResult& trial) {
  const auto full = in.page.trials.find(trial.folder);
  if (full == in.page.trials.end()) return "";
  const Timeline& timeline = full->second.timeline;
  TraceOperations operations;
  const std::string history = trial.folder + "/history.jsonl";
  if (!in.folder.empty() && RunDirectory(in.folder).has(history)) {
    const auto [from_ns, to_ns] = stretch_of(timeline);
    operations = trace_operations(RunDirectory(in.folder).file(history), from_ns, to_ns);
  }
  Args about{{"holdfast", in.page.found.run.version}, {"cell", cell.lock + "/" + cell.scenario}};
  about["trial"] = trial.number;
  about["seed"] = std::to_string(trial.seed);
  about["verdict"] = to_text(trial.verdict.judgement);
  about["left_out"] = timeline.cut || operations.left_out ? "everything far from the first violation" : "nothing";
  TraceEvents out;
  out.process(kVerdictPid, cell.lock + " under " + cell.scenario, kVerdictPid);
  write_violations(full->second, out);
  write_holders(timeline, out);
  out.process(kFaultsPid, "faults", kFaultsPid);
  write_faults(timeline, std::move(operations.nemesis), out);
  write_clients(timeline, std::move(operations), out);
  return std::move(out).take(about);
}

}  // namespace

extern const FormatType format_trace;
const FormatType format_trace{
    .about = "a trial's trace, for Perfetto (ui.perfetto.dev)", .file = "trace.json", .of_trial = trace_of_trial};

}  // namespace holdfast
