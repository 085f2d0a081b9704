#include "reports/packed_trial.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "artifact/json_text.hpp"
#include "reports/focus.hpp"
#include "reports/visible_json.hpp"

namespace holdfast {
namespace {

using Column = std::vector<std::int64_t>;

std::int64_t micro(std::int64_t time_ns) {
  return time_ns / 1000;
}

std::string token_text(const Event& event) {
  return event.token ? std::to_string(*event.token) : "";
}

// Scripts know whole numbers up to here; larger ones are texts.
nlohmann::json as_scripts_read(nlohmann::json values) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  for (auto& value : values) {
    const bool large = value.is_number_unsigned() ? value.get<std::uint64_t>() > std::uint64_t{kMost}
                                                  : value.is_number_integer() && value.get<std::int64_t>() < -kMost;
    if (large) value = text_of_json(value);
  }
  return values;
}

// The relevant moment of a long history: the first violation, else the first fault, else the beginning.
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
    out.push_back({s.client, s.key, micro(s.from_ns), micro(s.to_ns), s.lease_end_ns == 0 ? 0 : micro(s.lease_end_ns),
                   s.grant_index, s.end_index});
    if (s.doubts.any()) out.back().push_back(doubt_words(s.doubts));
  }
  return out;
}

nlohmann::json faults_json(const Timeline& timeline) {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& f : timeline.faults) {
    out.push_back({{"fault", f.fault},
                   {"clients", f.clients},
                   {"from", micro(f.from_ns)},
                   {"to", micro(f.to_ns)},
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
                     {"from", micro(w.from_ns)},
                     {"to", micro(w.to_ns)},
                     {"text", w.text}});
    }
  }
  return out;
}

// A verdict keeps a few of many violations, and only those can be marked.
nlohmann::json unmarked_json(const TrialVerdict& verdict) {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& property : verdict.properties) {
    const auto kept = static_cast<std::int64_t>(property.witnesses.size());
    if (property.count > kept) {
      out.push_back({{"property", property.property}, {"count", property.count}, {"kept", kept}});
    }
  }
  return out;
}

}  // namespace

std::size_t Operations::name_of(const std::string& statement) {
  const auto [at, fresh] = names_.try_emplace(statement, name_list_.size());
  if (fresh) name_list_.push_back(statement);
  return at->second;
}

// The older half goes when it is twice what may stay and the moment has not come yet.
void Operations::forget_oldest() {
  if (rows_.size() < kMostOperations || rows_.back().from_ns > moment_ns_) return;
  const std::size_t most = kMostOperations / 2;
  rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(most));
  forgotten_ += most;
}

void Operations::add_row(const Event& event) {
  if (rows_.size() >= kMostOperations) forget_oldest();
  if (rows_.size() >= kMostOperations) {
    ++refused_;
    return;
  }
  Row row;
  row.client = event.client;
  row.key = event.key;
  row.op = event.op;
  row.background = event.background;
  row.from_ns = event.time_ns;
  row.index = row.end_index = event.index;
  row.token = token_text(event);
  rows_.push_back(std::move(row));
}

void Operations::complete(const Event& event) {
  const auto open = open_.find({event.process, event.background});
  if (open == open_.end()) return;
  const std::size_t number = open->second;
  open_.erase(open);
  if (number < forgotten_) return;
  Row& row = rows_[number - forgotten_];
  row.type = event.type;
  row.reason = event.reason;
  row.to_ns = event.time_ns;
  row.end_index = event.index;
  if (event.token) row.token = token_text(event);
  for (const auto& statement : event.statements) {
    row.statements.emplace_back(name_of(statement.name), statement);
    Statement& kept = row.statements.back().second;
    kept.name.clear();
    if (event.type == EventType::fail) kept.values.clear();  // refused attempts are many, and rarely looked at
  }
}

void Operations::event(const Event& event) {
  if (event.actor != Actor::client) return;
  const std::size_t before = rows_.size() + forgotten_;
  if (event.op == Op::leave) {  // a single line, of whatever type
    add_row(event);
    if (rows_.size() + forgotten_ == before) return;
    rows_.back().type = EventType::ok;
    rows_.back().to_ns = event.time_ns;
    return;
  }
  if (event.type != EventType::invoke) return complete(event);
  add_row(event);
  if (rows_.size() + forgotten_ > before) open_[{event.process, event.background}] = before;
}

nlohmann::json Operations::statements_json() const {
  Column op, name, call, took, rows, error;
  nlohmann::json values = nlohmann::json::object();  // by the number of the statement here, where they are known
  std::int64_t last = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (const auto& [number, statement] : rows_[i].statements) {
      op.push_back(static_cast<std::int64_t>(i) - last);
      last = static_cast<std::int64_t>(i);
      name.push_back(static_cast<std::int64_t>(number));
      call.push_back(micro(statement.call_ns) - micro(rows_[i].from_ns));
      took.push_back(micro(statement.return_ns) - micro(statement.call_ns));
      rows.push_back(statement.rows);
      nlohmann::json own = values_of(statement);
      if (own.is_object()) values[std::to_string(error.size())] = as_scripts_read(std::move(own));
      error.push_back(statement.error);
    }
  }
  return {{"op", op},     {"name", name},   {"call", call},    {"took", took},
          {"rows", rows}, {"error", error}, {"values", values}};
}

nlohmann::json Operations::json() const {
  Column client, kind, type, reason, key, background, from, took, index, answer_after;
  nlohmann::json tokens = nlohmann::json::object();
  std::int64_t last_ns = 0;
  std::uint64_t last_index = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    client.push_back(row.client);
    kind.push_back(static_cast<int>(row.op));
    type.push_back(static_cast<int>(row.type));
    reason.push_back(static_cast<int>(row.reason));
    key.push_back(row.key);
    if (row.background) background.push_back(static_cast<std::int64_t>(i));
    from.push_back(micro(row.from_ns) - micro(last_ns));
    took.push_back(row.to_ns < 0 ? -1 : micro(row.to_ns) - micro(row.from_ns));
    index.push_back(static_cast<std::int64_t>(row.index - last_index));
    answer_after.push_back(static_cast<std::int64_t>(row.end_index - row.index));
    if (!row.token.empty()) tokens[std::to_string(i)] = row.token;
    last_ns = row.from_ns;
    last_index = row.index;
  }
  nlohmann::json out = {{"client", client}, {"kind", kind},   {"type", type},
                        {"reason", reason}, {"key", key},     {"from", from},
                        {"took", took},     {"index", index}, {"answer_after", answer_after}};
  out["background"] = background;
  out["tokens"] = std::move(tokens);
  out["names"] = name_list_;
  out["parameter"] = std::string(1, statements_.parameter);
  out["texts"] = nlohmann::json::array();
  for (const auto& name : name_list_) {
    const std::string* text = statements_.find(name);
    out["texts"].push_back(text == nullptr ? "" : on_one_line(*text));
  }
  out["statements"] = statements_json();
  out["left_out"] = forgotten_ + refused_;
  return out;
}

PackedText packed_trial(HistorySource& history, const TrialVerdict& verdict) {
  return trial_evidence(history, verdict, {}).packed;
}

TrialEvidence trial_evidence(HistorySource& history, const TrialVerdict& verdict,
                             const StatementTemplates& statements) {
  Operations operations(moment_to_keep(verdict), statements);
  StatementsOfWitnesses sent(verdict, statements);
  CountsOfTrial counts(verdict.timeline);
  Event event;
  while (history.next(event)) {
    operations.event(event);
    sent.event(event, history.names());
    counts.event(event);
  }
  std::vector<std::string> keys;
  for (const auto& key : history.names().keys) keys.push_back(key);
  const Stretch all = whole(verdict.timeline);
  nlohmann::json out = {{"version", 1},
                        {"begin", micro(all.from_ns)},
                        {"end", micro(all.to_ns)},
                        {"cut", verdict.timeline.cut},
                        {"keys", keys},
                        {"ops", operations.json()},
                        {"spans", spans_json(verdict.timeline)},
                        {"faults", faults_json(verdict.timeline)},
                        {"violations", violations_json(verdict)},
                        {"unmarked", unmarked_json(verdict)}};
  return {packed_text(visible_json(std::move(out))), std::move(sent).take(), std::move(counts).take()};
}

}  // namespace holdfast
