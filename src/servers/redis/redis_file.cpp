#include "servers/redis/redis_file.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr std::string_view kMark = "# name:";
constexpr std::string_view kProgram = "redis-cli";

bool word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Characters without a meaning for a shell outside quotes.
bool plain_character(char c) {
  return word_character(c) || std::string_view("-.,:/%+@^").find(c) != std::string_view::npos;
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

std::string as_text(const Value& value) {
  if (std::holds_alternative<std::nullptr_t>(value)) return "";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

}  // namespace

class RedisFileReader {
 public:
  RedisFileReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  RedisFile read() {
    while (at_ < text_.size()) {
      const std::string_view line = text_.substr(at_, text_.find('\n', at_) - at_);
      if (line.rfind(kMark, 0) == 0) {
        begin(trimmed(line.substr(kMark.size())));
        skip_line();
      } else if (trimmed(line).empty() || line.front() == '#' || name_.empty()) {
        skip_line();
      } else {
        command();
      }
    }
    check_last();
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw BadInput(file_ + ":" + std::to_string(line_) + ": " + why);
  }

  void check_last() const {
    if (!name_.empty() && !out_.has(name_)) refuse("'" + name_ + "' has no command");
  }

  void begin(const std::string& name) {
    check_last();
    if (name.empty() || out_.has(name)) refuse("'" + name + "': each command needs a new name");
    name_ = name;
  }

  void skip_line() {
    const auto end = text_.find('\n', at_);
    at_ = end == std::string_view::npos ? text_.size() : end + 1;
    ++line_;
  }

  void command() {
    if (out_.has(name_)) refuse("'" + name_ + "' has a second command: each name has one");
    std::vector<RedisFile::Argument> arguments;
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r') {
        ++at_;
      } else {
        arguments.push_back(argument());
      }
    }
    if (arguments.front().parameter || arguments.front().text != kProgram) refuse("a command begins with redis-cli");
    arguments.erase(arguments.begin());
    if (arguments.empty() || arguments.front().parameter) refuse("the name of a Redis command is missing");
    if (arguments.front().text.rfind('-', 0) == 0) refuse("options of redis-cli itself are not supported");
    out_.commands_[name_] = std::move(arguments);
  }

  RedisFile::Argument argument() {
    RedisFile::Argument out;
    if (text_[at_] == '\'') {
      out.text = quoted('\'', "a quote has no end");
    } else if (text_[at_] == '"') {
      const std::string inside = quoted('"', "a quote has no end");
      if (inside.rfind('$', 0) != 0) refuse("\"" + inside + "\": only a \"$parameter\" may be in double quotes");
      out = {inside.substr(1), true};
      check_parameter(out.text);
    } else {
      while (at_ < text_.size() && plain_character(text_[at_])) out.text += text_[at_++];
    }
    const bool ended = at_ >= text_.size() || std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos;
    if (!ended) refuse(std::string("'") + text_[at_] + "' is not allowed here: put the argument into single quotes");
    return out;
  }

  void check_parameter(const std::string& name) const {
    bool good = !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0;
    for (const char c : name) good = good && word_character(c);
    if (!good) refuse("\"$" + name + "\": a parameter is named by letters, digits and _");
  }

  std::string quoted(char quote, const char* unended) {
    const auto end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) refuse(unended);
    std::string inside(text_.substr(at_ + 1, end - at_ - 1));
    for (const char c : inside) line_ += c == '\n' ? 1 : 0;
    at_ = end + 1;
    return inside;
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::string name_;
  RedisFile out_;
};

RedisFile RedisFile::parse(std::string_view text, const std::string& file) {
  return RedisFileReader(text, file).read();
}

std::vector<std::string> RedisFile::names() const {
  std::vector<std::string> out;
  for (const auto& [name, arguments] : commands_) out.push_back(name);
  return out;
}

std::vector<std::string> RedisFile::parameters(std::string_view name) const {
  std::vector<std::string> out;
  const auto found = commands_.find(name);
  if (found == commands_.end()) throw std::logic_error("no command named '" + std::string(name) + "' in the file");
  for (const auto& argument : found->second) {
    const bool known = std::find(out.begin(), out.end(), argument.text) != out.end();
    if (argument.parameter && !known) out.push_back(argument.text);
  }
  return out;
}

std::vector<std::string> RedisFile::bind(std::string_view name, Params params) const {
  const auto found = commands_.find(name);
  if (found == commands_.end()) throw std::logic_error("no command named '" + std::string(name) + "' in the file");
  std::vector<std::string> out;
  for (const auto& argument : found->second) {
    if (!argument.parameter) {
      out.push_back(argument.text);
      continue;
    }
    const Param* given = nullptr;
    for (const auto& param : params) {
      if (param.name == argument.text) given = &param;
    }
    if (given == nullptr) throw std::logic_error(std::string(name) + ": parameter $" + argument.text + " is not given");
    out.push_back(as_text(given->value));
  }
  return out;
}

}  // namespace holdfast
