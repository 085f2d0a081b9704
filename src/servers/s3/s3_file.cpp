#include "servers/s3/s3_file.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"

namespace holdfast {
namespace {

using Words = std::vector<std::string>;
using ValueOf = std::function<std::string(const std::string& parameter)>;

constexpr std::string_view kNameLine = "# name:";
constexpr std::string_view kAnswersLine = "# answers:";
constexpr std::string_view kSpaces = " \t\r";
constexpr std::string_view kAddress = "$S3/";

bool in_parameter_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Characters with a meaning for a shell, outside and inside double quotes; $ begins a parameter.
bool odd_in_shell(char c) {
  return !in_parameter_name(c) && std::string_view("-.,:/%+@=").find(c) == std::string_view::npos;
}

bool odd_in_quotes(char c) {
  return c == '\\' || c == '\x60';
}

// Words between blanks; one in double quotes may contain some. A parameter must be quoted: a shell would split it.
Words words_of_line(std::string_view line) {
  Words out;
  for (std::size_t at = 0; (at = line.find_first_not_of(kSpaces, at)) != std::string_view::npos;) {
    const bool quoted = line[at] == '"';
    const std::size_t begin = at + (quoted ? 1 : 0);
    const std::size_t end = quoted ? line.find('"', begin) : std::min(line.find_first_of(kSpaces, begin), line.size());
    if (end == std::string_view::npos) throw BadInput("a quote has no end");
    const std::string word(line.substr(begin, end - begin));
    const auto odd = std::find_if(word.begin(), word.end(), quoted ? odd_in_quotes : odd_in_shell);
    if (odd != word.end()) {
      const std::string remedy = quoted ? "" : "; put the word into double quotes";
      throw BadInput("'" + word + "': '" + *odd + "' is not allowed here" + remedy);
    }
    out.push_back(word);
    at = end + (quoted ? 1 : 0);
    if (quoted && at < line.size() && kSpaces.find(line[at]) == std::string_view::npos) {
      throw BadInput("a space must follow a quoted word");
    }
  }
  return out;
}

std::string filled_in(const std::string& word, const ValueOf& value_of) {
  std::string out;
  for (std::size_t at = 0; at < word.size();) {
    if (word[at] != '$') {
      out += word[at++];
      continue;
    }
    std::size_t end = at + 1;
    while (end < word.size() && in_parameter_name(word[end])) ++end;
    const std::string name = word.substr(at + 1, end - at - 1);
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0) {
      throw BadInput("'" + word + "': a parameter is named by letters, digits and _");
    }
    out += value_of(name);
    at = end;
  }
  return out;
}

std::string escaped_for_url(const std::string& text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-_.~").find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += '%';
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 15U];
    }
  }
  return out;
}

std::string header_line(const std::string& word, const ValueOf& value_of) {
  if (word.find(": ") == std::string::npos) throw BadInput("'" + word + "': write -H \"Name: value\"");
  std::string out = filled_in(word, value_of);
  const auto control = [](unsigned char c) { return c < ' ' || c == 0x7f; };
  if (std::any_of(out.begin(), out.end(), control)) throw BadInput("a header has a control character");
  return out;
}

std::string url_path(const std::string& word, const ValueOf& value_of) {
  if (word.rfind(kAddress, 0) != 0) throw BadInput("'" + word + "': a URL begins with \"$S3/\", the store's address");
  return filled_in(word.substr(kAddress.size() - 1),
                   [&](const std::string& parameter) { return escaped_for_url(value_of(parameter)); });
}

S3Command s3_command(const Words& words, const Words& answers, const ValueOf& value_of) {
  if (words.empty() || words.front() != "curl") throw BadInput("a command begins with curl");
  S3Command out;
  out.method = "GET";
  out.answers = answers;
  bool has_body = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.empty() || word.front() != '-') {
      if (!out.path.empty()) throw BadInput("'" + word + "': a command has one URL");
      out.path = url_path(word, value_of);
      continue;
    }
    if (word != "-X" && word != "-H" && word != "-d") throw BadInput(unknown_word("option", word, {"-X", "-H", "-d"}));
    if (++i == words.size()) throw BadInput(word + ": a value must follow");
    if (word == "-X") out.method = words[i];
    if (word == "-H") out.headers.push_back(header_line(words[i], value_of));
    if (word != "-d") continue;
    if (has_body || words[i].rfind('@', 0) == 0) throw BadInput("-d: one text, which does not begin with @");
    has_body = true;
    out.body = filled_in(words[i], value_of);
  }
  const Words fields = s3_fields(out.method);
  if (out.path.empty()) throw BadInput("the URL is missing");
  if (has_body != (out.method == "PUT")) throw BadInput("-d belongs to PUT, and PUT needs it");
  for (const auto& field : answers) {
    if (std::find(fields.begin(), fields.end(), field) == fields.end()) {
      throw BadInput(unknown_word("field of an answer to " + out.method, field, fields));
    }
  }
  return out;
}

std::string text_of(const Value& value) {
  if (std::holds_alternative<std::nullptr_t>(value)) return "";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

// Calls `take` with each line and its number; adds file and line to errors.
void each_line(std::string_view text, const std::string& file, const std::function<void(std::string_view)>& take) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    try {
      take(text.substr(0, end));
    } catch (const BadInput& wrong) {
      throw BadInput(file + ":" + std::to_string(number) + ": " + wrong.what());
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

S3File S3File::parse(std::string_view text, const std::string& file) {
  S3File out;
  std::string name;
  Words answers;
  each_line(text, file, [&](std::string_view line) {
    if (line.rfind(kNameLine, 0) == 0) {
      const Words words = words_of_line(line.substr(kNameLine.size()));
      if (!name.empty() && !out.has(name)) throw BadInput("'" + name + "' has no command");
      if (words.size() != 1 || out.has(words.front())) throw BadInput("each command needs a new name of one word");
      name = words.front();
      answers.clear();
    } else if (line.rfind(kAnswersLine, 0) == 0 && !name.empty()) {
      answers = words_of_line(line.substr(kAnswersLine.size()));
    } else if (line.find_first_not_of(kSpaces) != std::string_view::npos && line.front() != '#' && !name.empty()) {
      if (out.has(name)) throw BadInput("'" + name + "' has a second command: each name has one");
      const Line command{words_of_line(line), answers};
      s3_command(command.words, answers, [](const std::string&) { return "1"; });
      out.commands_[name] = command;
    }
  });
  if (!name.empty() && !out.has(name)) throw BadInput(file + ": '" + name + "' has no command");
  return out;
}

const S3File::Line& S3File::line(std::string_view name) const {
  const auto found = commands_.find(name);
  if (found == commands_.end()) throw std::logic_error("no command named '" + std::string(name) + "' in the file");
  return found->second;
}

std::vector<std::string> S3File::names() const {
  std::vector<std::string> out;
  for (const auto& [name, command] : commands_) out.push_back(name);
  return out;
}

std::vector<std::string> S3File::parameters(std::string_view name) const {
  const Line& found = line(name);
  std::vector<std::string> out;
  s3_command(found.words, found.answers, [&](const std::string& parameter) {
    if (std::find(out.begin(), out.end(), parameter) == out.end()) out.push_back(parameter);
    return "1";
  });
  return out;
}

S3Command S3File::bind(std::string_view name, Params params) const {
  const Line& found = line(name);
  return s3_command(found.words, found.answers, [&](const std::string& parameter) {
    for (const auto& param : params) {
      if (param.name == parameter) return text_of(param.value);
    }
    throw std::logic_error(std::string(name) + ": parameter $" + parameter + " is not given");
  });
}

}  // namespace holdfast
