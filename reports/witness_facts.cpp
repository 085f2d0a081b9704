#include "reports/witness_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "artifact/visible.hpp"
#include "reports/durations.hpp"
#include "reports/narration.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostToldWrites = 4;

struct Fact {
  std::int64_t time_ns;
  std::string text;
};

bool client_takes_part(const std::vector<std::uint32_t>& clients, std::uint32_t client) {
  return std::find(clients.begin(), clients.end(), client) != clients.end();
}

std::string numbered(std::int64_t time_ns, std::uint64_t index) {
  return moment_text(time_ns) + (index == 0 ? "" : fmt::format(" (#{})", index));
}

Fact span_fact(const Span& span) {
  std::string text = fmt::format("Client {} held \"{}\" from {} to {}.", span.client, clipped(span.key, kMostOfName),
                                 numbered(span.from_ns, span.grant_index), numbered(span.to_ns, span.end_index));
  if (span.lease_end_ns != 0 && span.lease_end_ns < span.to_ns) {
    text += fmt::format(" Its lease ended at {}, {} before it stopped acting as holder.",
                        moment_text(span.lease_end_ns), length_text(span.to_ns - span.lease_end_ns));
  } else if (span.lease_end_ns != 0) {
    text += fmt::format(" Its lease would have lasted until {}.", moment_text(span.lease_end_ns));
  }
  return {span.from_ns, std::move(text)};
}

Fact fault_fact(const FaultSpan& fault) {
  const std::string whom = fault.clients.empty() ? "" : " on " + clients_text(fault.clients);
  const std::string until = fault.to_ns > fault.from_ns ? " until " + moment_text(fault.to_ns) : "";
  const std::string detail = fault.detail.empty() ? "" : " (" + fault.detail + ")";
  return {fault.from_ns,
          fmt::format("At {} {} acted{}{}{}.", moment_text(fault.from_ns), fault.fault, whom, until, detail)};
}

Fact write_fact(const WriteMark& write) {
  const char* answer = "whether it took effect was never answered";
  if (write.result == "ok") answer = "the resource accepted it";
  if (write.result == "fail") answer = "the resource refused it";
  const std::string index = write.index == 0 ? "" : fmt::format(" (#{})", write.index);
  return {write.time_ns,
          fmt::format("At {} client {} wrote{}; {}.", moment_text(write.time_ns), write.client, index, answer)};
}

void add_writes(const Timeline& timeline, const Witness& w, std::vector<Fact>& facts) {
  std::size_t told = 0;
  for (const auto& write : timeline.writes) {
    const bool inside = write.time_ns >= w.from_ns && write.time_ns <= w.to_ns && write.key == w.key;
    if (inside && client_takes_part(w.clients, write.client) && told++ < kMostToldWrites)
      facts.push_back(write_fact(write));
  }
}

void add_faults(const Timeline& timeline, const Witness& w, std::int64_t since_ns, std::vector<Fact>& facts) {
  for (const auto& fault : timeline.faults) {
    const bool then = fault.to_ns >= since_ns && fault.from_ns <= w.to_ns;
    const bool theirs = fault.clients.empty() || std::any_of(fault.clients.begin(), fault.clients.end(),
                                                             [&](auto c) { return client_takes_part(w.clients, c); });
    if (then && theirs) facts.push_back(fault_fact(fault));
  }
}

}  // namespace

std::vector<const Span*> witness_spans(const Timeline& timeline, const Witness& w) {
  std::vector<const Span*> out;
  for (const auto& span : timeline.spans) {
    const bool touches = span.from_ns <= w.to_ns && span.to_ns >= w.from_ns && span.key == w.key;
    if (touches && client_takes_part(w.clients, span.client)) out.push_back(&span);
  }
  return out;
}

std::vector<std::string> witness_facts(const Timeline& timeline, const Witness& w, bool exclusion) {
  const auto spans = witness_spans(timeline, w);
  if (spans.empty()) return {};
  std::vector<Fact> facts;
  std::int64_t since_ns = w.from_ns;
  for (const Span* span : spans) {
    facts.push_back(span_fact(*span));
    since_ns = std::min(since_ns, span->from_ns);
  }
  if (exclusion && w.to_ns > w.from_ns) {
    const std::string who = w.clients.size() == 2 ? "both" : "all of them";
    facts.push_back({w.from_ns, fmt::format("From {} to {}, {}, {} acted as holder.", moment_text(w.from_ns),
                                            moment_text(w.to_ns), length_text(w.to_ns - w.from_ns), who)});
  }
  add_faults(timeline, w, since_ns, facts);
  add_writes(timeline, w, facts);
  std::stable_sort(facts.begin(), facts.end(), [](const Fact& a, const Fact& b) { return a.time_ns < b.time_ns; });
  std::vector<std::string> out;
  out.reserve(facts.size());
  for (auto& fact : facts) out.push_back(std::move(fact.text));
  return out;
}

}  // namespace holdfast
