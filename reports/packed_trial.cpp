#include "reports/packed_trial.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/focus.hpp"
#include "reports/operations.hpp"
#include "reports/shown_json.hpp"

namespace holdfast {
namespace {

std::int64_t in_micro(std::int64_t time_ns) {
  return time_ns / 1000;
}

// What a reader wants to see of a long history: the first violation, else the first fault, else the beginning.
std::int64_t moment_to_keep(const TrialVerdict& verdict) {
  std::int64_t first = INT64_MAX;
  for (const auto& property : verdict.properties) {
    for (const auto& witness : property.witnesses) first = std::min(first, witness.from_ns);
  }
  if (first != INT64_MAX) return first;
  for (const auto& fault : verdict.timeline.faults) first = std::min(first, fault.from_ns);
  return first == INT64_MAX ? 0 : first;
}

nlohmann::json spans_json(const Timeline& timeline) {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& s : timeline.spans) {
    out.push_back({s.client, s.key, in_micro(s.from_ns), in_micro(s.to_ns),
                   s.lease_end_ns == 0 ? 0 : in_micro(s.lease_end_ns), s.grant_index, s.end_index});
  }
  return out;
}

nlohmann::json faults_json(const Timeline& timeline) {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& f : timeline.faults) {
    out.push_back({{"fault", f.fault},
                   {"clients", f.clients},
                   {"from", in_micro(f.from_ns)},
                   {"to", in_micro(f.to_ns)},
                   {"detail", f.detail}});
  }
  return out;
}

nlohmann::json violations_json(const TrialVerdict& verdict) {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& property : verdict.properties) {
    for (const auto& w : property.witnesses) {
      out.push_back({{"property", property.property},
                     {"kind", w.kind},
                     {"key", w.key},
                     {"clients", w.clients},
                     {"from", in_micro(w.from_ns)},
                     {"to", in_micro(w.to_ns)},
                     {"text", w.text}});
    }
  }
  return out;
}

}  // namespace

PackedText packed_trial(HistorySource& history, const TrialVerdict& verdict) {
  Operations operations(moment_to_keep(verdict));
  Event event;
  while (history.next(event)) operations.event(event);
  std::vector<std::string> keys;
  for (const auto& key : history.names().keys) keys.push_back(key);
  const Stretch all = whole(verdict.timeline);
  nlohmann::json out = {{"version", 1},
                        {"begin", in_micro(all.from_ns)},
                        {"end", in_micro(all.to_ns)},
                        {"cut", verdict.timeline.cut},
                        {"keys", keys},
                        {"ops", operations.json()},
                        {"spans", spans_json(verdict.timeline)},
                        {"faults", faults_json(verdict.timeline)},
                        {"violations", violations_json(verdict)}};
  return packed_text(shown_json(std::move(out)));
}

}  // namespace holdfast
