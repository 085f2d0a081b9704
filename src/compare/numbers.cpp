#include "compare/numbers.hpp"

#include <algorithm>
#include <exception>

#include "artifact/json_reader.hpp"

namespace holdfast {
namespace {

void read_trial(const std::string& folder, TrialRecord& out) {
  const TrialVerdict verdict = read_json_file(InputFile::in(folder, "verdict.json"), from_json<TrialVerdict>);
  out.service = measure_service(InputFile::in(folder, "history.jsonl"));
  ComparedTrial& shown = out.shown;
  shown.properties = compared_properties(verdict);
  shown.service = numbers_of({&out.service});
  shown.end_ns = verdict.timeline.end_ns;
  shown.faults = verdict.timeline.faults;
  for (const Window& gap : out.service.gaps) shown.gaps.push_back({gap.from_ns, gap.to_ns});
  shown.grants_by_bin = by_bin(out.service.granted_ns, out.service.load_ns);
}

constexpr std::size_t kMostBins = 400;  // the rest of a very long trial is not drawn

// Nearest-rank percentile: the smallest value that at most the remaining share exceeds.
std::int64_t percentile_of(const std::vector<std::int64_t>& ascending, std::int64_t percent) {
  const auto count = static_cast<std::int64_t>(ascending.size());
  const std::int64_t rank = std::max<std::int64_t>(1, (percent * count + 99) / 100);
  return ascending[static_cast<std::size_t>(rank - 1)];
}

SafetyCount& count_of(std::vector<SafetyCount>& all, const std::string& property) {
  for (auto& count : all) {
    if (count.property == property) return count;
  }
  all.push_back({});
  all.back().property = property;
  return all.back();
}

void add_waits(std::vector<std::int64_t>& all, const std::vector<std::int64_t>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

TrialRecord record_of(const TrialResult& result, const std::string& root, const std::string& prefix) {
  TrialRecord out;
  out.shown.number = result.number;
  out.shown.seed = result.seed;
  out.shown.folder = prefix + result.folder;
  out.shown.error = result.error;
  if (result.outcome == Outcome::unavailable) out.shown.state = TrialState::unavailable;
  if (result.outcome == Outcome::harness_error) out.shown.state = TrialState::harness_error;
  if (out.shown.state != TrialState::judged) return out;
  try {
    read_trial(root + "/" + result.folder, out);
  } catch (const std::exception& broken) {
    out = {};
    out.shown.number = result.number;
    out.shown.seed = result.seed;
    out.shown.folder = prefix + result.folder;
    out.shown.state = TrialState::harness_error;
    out.shown.error = broken.what();
  }
  return out;
}

ComparedLatency latency_of(const std::vector<std::int64_t>& ascending_ns) {
  if (ascending_ns.empty()) return {};
  return {static_cast<std::int64_t>(ascending_ns.size()), percentile_of(ascending_ns, 50),
          percentile_of(ascending_ns, 99), ascending_ns.back()};
}

ServiceNumbers numbers_of(const std::vector<const Service*>& trials) {
  ServiceNumbers out;
  std::vector<std::int64_t> uncontended;
  std::vector<std::int64_t> contended;
  for (const Service* trial : trials) {
    ++out.trials;
    out.load_ns += trial->load_ns;
    out.grants += trial->grants;
    out.statements += trial->statements;
    out.fencing_rejections += trial->fencing_rejections;
    out.unavailable_ns += trial->unavailable_ns;
    out.longest_gap_ns = std::max(out.longest_gap_ns, trial->longest_gap_ns);
    for (const Recovery& recovery : trial->recoveries) {
      ++out.recoveries;
      if (recovery.took_ns < 0) ++out.unrecovered;
      out.slowest_recovery_ns = std::max(out.slowest_recovery_ns, recovery.took_ns);
    }
    add_waits(uncontended, trial->uncontended_ns);
    add_waits(contended, trial->contended_ns);
  }
  std::sort(uncontended.begin(), uncontended.end());
  std::sort(contended.begin(), contended.end());
  out.uncontended = latency_of(uncontended);
  out.contended = latency_of(contended);
  return out;
}

std::vector<std::int64_t> by_bin(const std::vector<std::int64_t>& granted_ns, std::int64_t load_ns) {
  const auto bins = std::min<std::size_t>(static_cast<std::size_t>((load_ns + kBin_ns - 1) / kBin_ns), kMostBins);
  std::vector<std::int64_t> out(bins, 0);
  for (const auto at : granted_ns) {
    const auto bin = static_cast<std::size_t>(std::max<std::int64_t>(0, at) / kBin_ns);
    if (bin < bins) ++out[bin];
  }
  return out;
}

std::vector<SafetyCount> safety_of(const std::vector<ComparedTrial>& trials) {
  std::vector<SafetyCount> out;
  for (const auto& trial : trials) {
    for (const auto& p : trial.properties) {
      if (p.judgement == Judgement::not_applicable) continue;
      SafetyCount& count = count_of(out, p.property);
      if (p.judgement == Judgement::undecided) ++count.undecided;
      if (p.judgement == Judgement::not_exercised) ++count.not_exercised;
      if (p.judgement == Judgement::holds || p.judgement == Judgement::violated) ++count.judged;
      if (p.judgement != Judgement::violated) continue;
      if (count.violated++ == 0) count.text = p.text;
      for (const auto& [kind, times] : p.kinds) count.kinds[kind] += times;
    }
  }
  return out;
}

std::vector<ComparedProperty> compared_properties(const TrialVerdict& verdict) {
  std::vector<ComparedProperty> out;
  for (const auto& p : verdict.properties) {
    ComparedProperty one{p.property, p.judgement, p.kinds, p.reason, 0, 0};
    if (!p.witnesses.empty()) {
      one.text = p.witnesses.front().text;
      one.from_ns = p.witnesses.front().from_ns;
      one.to_ns = p.witnesses.front().to_ns;
    }
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace holdfast
