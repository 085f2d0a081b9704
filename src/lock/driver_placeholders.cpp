#include "lock/driver_placeholders.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "lock/statement_lock_rules.hpp"

namespace holdfast {
namespace {

struct DriverPlaceholder {
  std::string text;      // "%s"
  std::size_t line = 0;  // index from 0
};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_one_of(char c, std::string_view all) {
  return c != '\0' && all.find(c) != std::string_view::npos;
}

class PlaceholderScan {
 public:
  PlaceholderScan(std::string_view text, std::string_view own) : text_(text), own_(own.front()) {}

  std::optional<DriverPlaceholder> first() {
    while (at_ < text_.size()) {
      if (const std::size_t end = end_of_plain(); end > at_) {
        at_ = end;
        continue;
      }
      if (const std::size_t length = placeholder(); length > 0) {
        const auto before = text_.substr(0, at_);
        return DriverPlaceholder{std::string(text_.substr(at_, length)),
                                 static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'))};
      }
      ++at_;
    }
    return std::nullopt;
  }

 private:
  char letter(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  bool begins(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  // End of a quoted text or comment that begins here; otherwise this position. An unterminated one extends to the end
  // and is reported elsewhere.
  std::size_t end_of_plain() const {
    const char c = letter(at_);
    const bool line_begins = at_ == 0 || text_[at_ - 1] == '\n';
    if (begins("--") || (c == '#' && (line_begins || letter(at_ + 1) == ' '))) return behind("\n", at_);
    if (begins("/*")) return behind("*/", at_ + 2);
    if (is_one_of(c, "'\"`")) return behind(text_.substr(at_, 1), at_ + 1);
    if (c != '$') return at_;
    std::size_t end = at_ + 1;  // PostgreSQL's $tag$ text $tag$
    while (is_word(letter(end))) ++end;
    const bool quotes = letter(end) == '$' && !is_digit(letter(at_ + 1));
    return quotes ? behind(text_.substr(at_, end + 1 - at_), end + 1) : at_;
  }

  std::size_t behind(std::string_view what, std::size_t from) const {
    const auto found = text_.find(what, from);
    return found == std::string_view::npos ? text_.size() : found + what.size();
  }

  // Its length; 0: no placeholder here.
  std::size_t placeholder() const {
    switch (letter(at_)) {
      case '?':
        return between_operands() ? 0 : 1;
      case '%':
        return percent();
      case '$':
        return own_ == '"' || is_digit(letter(at_ + 1)) ? word_behind(1) : 0;
      case ':':
        return own_ == '@' && !is_digit(letter(at_ + 1)) && !follows_word() ? word_behind(1) : 0;
      default:
        return 0;
    }
  }

  bool follows_word() const { return at_ > 0 && (is_word(text_[at_ - 1]) || text_[at_ - 1] == ':'); }

  // Length including the name that follows; 0: no name.
  std::size_t word_behind(std::size_t from) const {
    std::size_t end = at_ + from;
    while (is_word(letter(end))) ++end;
    if (end > at_ + from) return end - at_;
    return own_ == '"' && letter(end) == '{' ? 2 : 0;  // a shell's ${key}
  }

  // %s, %d and %(key)s. A modulo operator is followed by an operand, which has more than one such letter.
  std::size_t percent() const {
    std::size_t end = at_ + 1;
    if (letter(end) == '(') end = std::min(text_.find(')', end), text_.size() - 1) + 1;
    const bool ends = is_one_of(letter(end), "sd") && !is_word(letter(end + 1));
    return ends ? end + 1 - at_ : 0;
  }

  // PostgreSQL's ?, ?| and ?& have a value on both sides; a placeholder does not.
  bool between_operands() const {
    std::size_t left = at_;
    while (left > 0 && std::isspace(static_cast<unsigned char>(text_[left - 1])) != 0) --left;
    const char before = left > 0 ? text_[left - 1] : '\0';
    if (before == '@') return true;  // @? operator
    std::size_t right = at_ + (is_one_of(letter(at_ + 1), "|&") ? 2 : 1);
    while (std::isspace(static_cast<unsigned char>(letter(right))) != 0) ++right;
    const bool array = text_.substr(right, 5) == "array" || text_.substr(right, 5) == "ARRAY";
    return (is_word(before) || is_one_of(before, "'\")]")) && (array || is_one_of(letter(right), "':("));
  }

  std::string_view text_;
  char own_;
  std::size_t at_ = 0;
};

// `own`: the parameter `key` in this file's language: @key, :'key' or "$key".
//
//   first_placeholder("INSERT INTO t\nVALUES (?, ?)", "@key")   -> {"?", 1}
//   first_placeholder("data ? 'k'", ":'key'")                   -> nothing: an operator of PostgreSQL
std::optional<DriverPlaceholder> first_placeholder(std::string_view statement, std::string_view own) {
  return PlaceholderScan(statement, own).first();
}

}  // namespace

std::string as_parameter(const std::string& name, const StatementForm& form) {
  if (form.comment != std::string("--")) return "\"$" + name + "\"";
  const std::string tried = "-- name: tried\nSELECT @" + name + ";\n";
  return form.parameters({"", tried}, "tried").empty() ? ":'" + name + "'" : "@" + name;
}

// Checked before the language is parsed: some languages accept a driver's placeholder as ordinary text.
void refuse_placeholders(const PastedStatement& statement, const StatementForm& form) {
  const std::string key = as_parameter("key", form);
  const auto found = first_placeholder(statement.text, key);
  if (!found) return;
  const std::string more = found->text.front() == '%' ? "; write a modulo with a blank after the %" : "";
  refuse_lock_file(
      statement.path, statement.line + found->line,
      "in '" + statement.name + "': '" + found->text + "' is a driver's placeholder, which holdfast does not fill in",
      "use a named parameter: " + key + ", " + as_parameter("owner", form) + ", " + as_parameter("ttl_ms", form) +
          " and others (docs/lock_file.md)" + more);
}

}  // namespace holdfast
