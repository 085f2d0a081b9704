#include "lock/statement_lock_rules.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "adapter/command_words.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "lock/driver_placeholders.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostColumns = 64;
constexpr const char* kTestRemedy =
    "use 'duplicate key', 'conflict', 'always', or affected, rows, value or reply, an operator =, !=, <, <=, > or >=, "
    "and an operand: affected > 0, value 2 = @owner, reply = OK";

[[noreturn]] void refuse_note(const std::string& path, const LockFileNote& note, const std::string& remedy) {
  refuse_lock_file(path, note.line, "'" + note.value + "' is not a test for '" + note.key + "'", remedy);
}

std::string without_quotes(const std::string& text) {
  const bool quoted = text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// A parameter as the file's statements have it (@owner, "$owner", :'owner'), or text, with or without quotes.
void read_operand(ReplyTest& out) {
  std::string text = without_quotes(out.against);
  const std::string sign = text.substr(0, 1);
  out.is_parameter = sign == "@" || sign == "$" || sign == ":";
  out.against = out.is_parameter ? without_quotes(text.substr(1)) : text;
}

void read_fact(const LockFileNote& note, const std::string& fact, const std::string& path, ReplyTest& out) {
  const bool number = out.against.find_first_not_of("0123456789") == std::string::npos && out.against.size() < 19;
  if (fact == "affected" || fact == "rows") {
    out.fact = fact == "rows" ? ReplyFact::rows : ReplyFact::affected;
    if (!number) refuse_note(path, note, fact + " and a number");
  } else if (fact == "reply") {
    out.fact = ReplyFact::status;
    const bool equality = out.comparison == TestSign::equal || out.comparison == TestSign::not_equal;
    if (!equality || (out.against != "OK" && out.against != "nil"))
      refuse_note(path, note, "reply = OK, or reply = nil");
  } else if (fact.rfind("value", 0) == 0) {
    out.fact = ReplyFact::value;
    out.column = read_reply_column(note, fact, path);
    read_operand(out);
  } else {
    refuse_note(path, note, kTestRemedy);
  }
}

bool is_of_lease(const std::string& parameter) {
  return parameter.rfind("ttl_", 0) == 0 || parameter.rfind("expires", 0) == 0;
}

bool takes_lease(const LockStep& step) {
  return std::any_of(step.parameters.begin(), step.parameters.end(), is_of_lease) ||
         std::any_of(step.rules.begin(), step.rules.end(),
                     [](const StepRule& rule) { return rule.test.is_parameter && is_of_lease(rule.test.against); });
}

}  // namespace

std::string without_blanks_around(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

void refuse_lock_file(const std::string& path, std::size_t line, const std::string& what, const std::string& remedy) {
  throw BadInput(path + ":" + std::to_string(line) + ": " + what + "; remedy: " + remedy);
}

std::size_t read_reply_column(const LockFileNote& note, const std::string& text, const std::string& path) {
  if (text == "value") return 0;
  std::size_t out = 0;
  const std::string digits = text.rfind("value ", 0) == 0 ? without_blanks_around(text.substr(6)) : "";
  const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  const bool good = error == std::errc() && rest == digits.data() + digits.size() && out >= 1 && out <= kMostColumns;
  if (!good) refuse_note(path, note, "use 'value', or 'value 2' for the second column of the first row");
  return out - 1;
}

ReplyTest read_reply_test(const LockFileNote& note, const std::string& path) {
  if (note.value == "duplicate key") return {ReplyFact::duplicate, 0, TestSign::equal, "", false};
  if (note.value == "conflict") return {ReplyFact::conflict, 0, TestSign::equal, "", false};
  if (note.value == "always") return {};
  const auto begin = note.value.find_first_of("=!<>");
  if (begin == std::string::npos) refuse_note(path, note, kTestRemedy);
  const auto end = note.value.find_first_not_of("=!<>", begin);
  static const std::map<std::string, TestSign> signs{{"=", TestSign::equal},   {"!=", TestSign::not_equal},
                                                     {"<", TestSign::less},    {"<=", TestSign::at_most},
                                                     {">", TestSign::greater}, {">=", TestSign::at_least}};
  const auto sign = signs.find(note.value.substr(begin, end == std::string::npos ? end : end - begin));
  if (sign == signs.end() || end == std::string::npos) refuse_note(path, note, kTestRemedy);
  ReplyTest out;
  out.comparison = sign->second;
  out.against = without_blanks_around(note.value.substr(end));
  read_fact(note, without_blanks_around(note.value.substr(0, begin)), path, out);
  if (out.against.empty()) refuse_note(path, note, kTestRemedy);
  return out;
}

KeptValue read_kept_value(const LockFileNote& note, const std::string& path) {
  const auto equals = note.value.find('=');
  const std::string name = without_blanks_around(note.value.substr(0, equals));
  if (equals == std::string::npos || !is_lock_name(name)) refuse_note(path, note, "write it as 'version = value 2'");
  const bool own = std::find(lock_parameters().begin(), lock_parameters().end(), name) != lock_parameters().end();
  if (own) refuse_lock_file(path, note.line, "'" + name + "' is a parameter already", "choose another name");
  return {name, read_reply_column(note, without_blanks_around(note.value.substr(equals + 1)), path)};
}

std::string read_word(const LockFileNote& note, const std::vector<std::string>& words, const std::string& path) {
  if (std::find(words.begin(), words.end(), note.value) != words.end()) return note.value;
  std::string all;
  for (const auto& word : words) all += (all.empty() ? "" : ", ") + word;
  refuse_note(path, note, "one of " + all);
}

std::int64_t read_milliseconds(const LockFileNote& note, const std::string& path) {
  constexpr std::int64_t kDay_ms = 86'400'000;
  std::int64_t out = 0;
  const char* const end = note.value.data() + note.value.size();
  const auto [rest, error] = std::from_chars(note.value.data(), end, out);
  if (error != std::errc() || rest != end || out < 0 || out > kDay_ms)
    refuse_note(path, note, "use milliseconds from 0 to 86400000");
  return out;
}

void refuse_lease_of_its_own(const LockFile& file, const LockFileNote& lease, const StatementForm& form) {
  if (!file.type.lease || std::any_of(file.acquire.steps.begin(), file.acquire.steps.end(), takes_lease)) return;
  std::string names =
      as_parameter("ttl_ms", form) + ", " + as_parameter("ttl_us", form) + " or " + as_parameter("ttl_s", form);
  if (*form.lease_line != '\0') names = std::string("the line '") + form.lease_line + "': " + names;
  if (lease.value == "client") names += ", or its end, " + as_parameter("expires", form) + ",";
  refuse_lock_file(file.path, lease.line,
                   "the file says that a grant ends by itself, but no statement of acquire uses the lease's length",
                   names + " instead of a length written in the statement; or, if a grant never ends by itself, '" +
                       form.comment + " lease: none'");
}

void refuse_renewal_without_result(const LockFile& file, const std::string& comment) {
  const auto& steps = file.renew.steps;
  const auto tells = [](const LockStep& step) {
    return std::any_of(step.rules.begin(), step.rules.end(),
                       [](const StepRule& rule) { return rule.end == StepEnd::done || rule.end == StepEnd::not_held; });
  };
  if (steps.empty() || std::any_of(steps.begin(), steps.end(), tells)) return;
  refuse_lock_file(file.path, steps.back().line,
                   "no rule says when a renewal has succeeded, so every renewal would count as one that has",
                   "a line '" + comment +
                       " done when: affected > 0', or another test of its reply, below its name; or '" + comment +
                       " done when: always', if your program does not look at the reply");
}

void check_parameters(const LockFile& file, const LockOperation& operation, const std::string& lease,
                      const std::string& comment) {
  std::set<std::string> known(lock_parameters().begin(), lock_parameters().end());
  if (!file.type.fenced) known.erase("token");
  const auto check = [&](const std::string& name, const LockStep& step) {
    const std::string where = "in '" + step.statement + "': ";
    if (known.count(name) == 0) {
      refuse_lock_file(
          file.path, step.line, where + unknown_word("parameter", name, {known.begin(), known.end()}),
          "use one of these, or add '" + comment + " keep: " + name + " = value' in a statement before it");
    }
    const bool clock = name.rfind("now", 0) == 0 || name.rfind("expires", 0) == 0;
    if (!clock || lease != "server") return;
    refuse_lock_file(file.path, step.line,
                     where + "'" + name + "' is the client's clock, but the file says that the server's clock decides",
                     "'" + comment + " lease: client', or use the server's own time");
  };
  std::size_t kept = 0;
  for (const auto& step : operation.steps) {
    for (const auto& name : step.parameters) check(name, step);
    for (const auto& one : step.kept) known.insert(one.name);
    kept += step.kept.size();
    for (const auto& rule : step.rules) {
      if (rule.test.is_parameter) check(rule.test.against, step);
    }
  }
  if (kept > kMostKept) refuse_lock_file(file.path, operation.steps.front().line, "keeps more than 4 values", "fewer");
}

}  // namespace holdfast
