#include "reports/sent_statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "artifact/json_reader.hpp"
#include "artifact/placed_statement.hpp"
#include "reports/narration.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostSent = 60;

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// SQL doubles the quote; a shell's double quotes want a backslash.
std::string literal_of(const nlohmann::json& value, char parameter) {
  const bool sql = parameter == '@';
  if (value.is_null()) return sql ? "NULL" : "";
  if (!value.is_string()) return text_of_json(value);
  std::string out;
  for (const char c : value.get_ref<const std::string&>()) {
    if (sql && c == '\'') out += c;
    if (c == '\\' || (!sql && (c == '"' || c == '$' || c == '`'))) out += '\\';
    out += c;
  }
  return sql ? "'" + out + "'" : out;
}

// The end of a quoted piece that begins here: nothing in it is a parameter. In a command only single quotes count.
std::size_t end_of_quoted(std::string_view text, std::size_t at, char parameter) {
  const char c = text[at];
  const bool quotes = c == '\'' || (parameter == '@' && (c == '"' || c == '`'));
  if (!quotes) return at;
  const std::size_t end = text.find(c, at + 1);
  return end == std::string_view::npos ? text.size() : end + 1;
}

// "1 row, error 1062"
std::string answer_of_statement(const Statement& statement) {
  std::string out = statement.rows < 0    ? "no answer"
                    : statement.rows == 1 ? "1 row"
                                          : fmt::format("{} rows", statement.rows);
  if (statement.error != 0) out += fmt::format(", error {}", statement.error);
  return out;
}

}  // namespace

const std::string* StatementTemplates::find(const std::string& name) const {
  const auto found = texts.find(name.substr(0, name.find(kAtServer)));
  return found == texts.end() ? nullptr : &found->second;
}

std::string with_values(std::string_view text, const nlohmann::json& values, char parameter) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t quoted = end_of_quoted(text, i, parameter); quoted > i) {
      out += text.substr(i, quoted - i);
      i = quoted;
      continue;
    }
    std::size_t end = i + 1;
    while (text[i] == parameter && end < text.size() && in_name(text[end])) ++end;
    const std::string name(text.substr(i + 1, end - i - 1));
    const auto value = name.empty() ? values.end() : values.find(name);
    out += value == values.end() ? std::string(text.substr(i, end - i)) : literal_of(*value, parameter);
    i = end;
  }
  return out;
}

nlohmann::json values_of(const Statement& statement) {
  if (statement.values.empty()) return nullptr;
  try {
    return parse_json(statement.values);
  } catch (const JsonRefusal&) {
    return nullptr;
  }
}

std::string on_one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank) out += c;
    if (blank && !out.empty() && out.back() != ' ') out += ' ';
  }
  return out;
}

std::set<std::uint64_t> events_of_witness(const Timeline& timeline, const Witness& witness) {
  std::set<std::uint64_t> out(witness.indices.begin(), witness.indices.end());
  for (const Span* span : witness_spans(timeline, witness)) {
    out.insert(span->grant_index);
    out.insert(span->end_index);
  }
  out.erase(0);  // not known
  return out;
}

StatementsOfWitnesses::StatementsOfWitnesses(const TrialVerdict& verdict, const StatementTemplates& statements)
    : statements_(statements) {
  for (const auto& property : verdict.properties) {
    for (const auto& witness : property.witnesses) wanted_.merge(events_of_witness(verdict.timeline, witness));
  }
}

void StatementsOfWitnesses::event(const Event& event, const Names& names) {
  if (event.actor != Actor::client || event.background) return;
  if (event.type == EventType::invoke) {
    asked_[event.process] = {event.index, event.token};
    return;
  }
  const Asked asked = asked_[event.process];
  if (!wanted_.contains(event.index) && !wanted_.contains(asked.index)) return;
  // A grant's token is what came back, and was not sent.
  nlohmann::json values = nlohmann::json::object();
  values["key"] = names.keys.at(event.key);
  if (const auto token = asked.token ? asked.token : event.op == Op::acquire ? std::nullopt : event.token) {
    values["token"] = *token;
  }
  for (const auto& statement : event.statements) {
    if (sent_.size() >= kMostSent) return;
    const std::string* text = statements_.find(statement.name);
    const nlohmann::json own = values_of(statement);
    sent_.push_back({event.client, to_text(event.op), asked.index, event.index, statement.call_ns, statement.name,
                     text == nullptr ? "" : with_values(*text, own.is_object() ? own : values, statements_.parameter),
                     answer_of_statement(statement)});
  }
}

}  // namespace holdfast
