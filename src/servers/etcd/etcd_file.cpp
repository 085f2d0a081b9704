#include "servers/etcd/etcd_file.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "artifact/error.hpp"
#include "artifact/pattern.hpp"

namespace holdfast {
namespace {

constexpr std::string_view kName = "# name:";
constexpr std::string_view kAnswers = "# answers:";
constexpr std::string_view kEtcdctl = "etcdctl";
constexpr std::string_view kHere = "<<EOF";
constexpr std::string_view kEnd = "EOF";

bool in_a_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Characters without a meaning for a shell outside quotes.
bool plain_in_shell(char c) {
  return in_a_name(c) || std::string_view("-.,:/%+@=").find(c) != std::string_view::npos;
}

std::string without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

std::vector<std::string> words_between_blanks(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; (at = text.find_first_not_of(" \t", at)) != std::string::npos;) {
    const auto end = std::min(text.find_first_of(" \t", at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

std::string text_of_value(const Value& value) {
  if (std::holds_alternative<std::nullptr_t>(value)) return "";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

}  // namespace

template <class Value>
EtcdCommand EtcdFile::filled(const Command& command, const Value& value_of) {
  const auto word = [&](const Word& pieces) {
    std::string out;
    for (const Piece& piece : pieces) out += piece.parameter ? value_of(piece.text) : piece.text;
    return out;
  };
  const auto line = [&](const Line& words) {
    std::vector<std::string> out;
    for (const Word& one : words) out.push_back(word(one));
    return out;
  };
  EtcdCommand out;
  out.words = line(command.words);
  for (const Line& one : command.compares) {
    const auto words = line(one);
    out.compares.push_back({words.at(0), words.at(1), words.at(2), words.at(3)});
  }
  for (const Line& one : command.then) out.then.push_back(line(one));
  for (const Line& one : command.otherwise) out.otherwise.push_back(line(one));
  out.answers = command.answers;
  return out;
}

class EtcdFileReader {
 public:
  EtcdFileReader(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

  EtcdFile read() {
    while (!rest_.empty()) {
      const std::string line = next_line();
      if (line.rfind(kName, 0) == 0) {
        begin(without_blanks(line.substr(kName.size())));
      } else if (line.rfind(kAnswers, 0) == 0 && !name_.empty()) {
        answers_ = words_between_blanks(without_blanks(line.substr(kAnswers.size())));
      } else if (!without_blanks(line).empty() && line.front() != '#' && !name_.empty()) {
        read_command(line);
      }
    }
    check_last();
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw BadInput(file_ + ":" + std::to_string(number_) + ": " + why);
  }

  void check_last() const {
    if (!name_.empty() && !out_.has(name_)) refuse("'" + name_ + "' has no command");
  }

  void begin(const std::string& name) {
    check_last();
    if (name.empty() || out_.has(name)) refuse("'" + name + "': each command needs a new name");
    name_ = name;
    answers_.clear();
  }

  std::string next_line() {
    const auto end = std::min(rest_.find('\n'), rest_.size());
    std::string out(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    return out;
  }

  void read_command(std::string line) {
    if (out_.has(name_)) refuse("'" + name_ + "' has a second command: each name has one");
    EtcdFile::Command command;
    const auto here = line.find(kHere);
    if (here != std::string::npos) {
      if (!without_blanks(line.substr(here + kHere.size())).empty()) refuse("nothing may follow <<EOF");
      line.resize(here);
    }
    command.words = words_of(line, false);
    if (command.words.empty() || !is_text(command.words.front(), kEtcdctl)) refuse("a command begins with etcdctl");
    command.words.erase(command.words.begin());
    if (here != std::string::npos) read_parts(command);
    command.answers = answers_;
    try {
      // "1" is valid as a key, a lease and a number.
      etcd_call(EtcdFile::filled(command, [](const std::string&) { return std::string("1"); }));
    } catch (const BadInput& wrong) {
      refuse(wrong.what());
    }
    out_.commands_[name_] = std::move(command);
  }

  static bool is_text(const EtcdFile::Word& word, std::string_view text) {
    return word.size() == 1 && !word.front().parameter && word.front().text == text;
  }

  void read_parts(EtcdFile::Command& command) {
    for (std::string line = part_line(); !line.empty(); line = part_line())
      command.compares.push_back(compare_of(line));
    for (auto* part : {&command.then, &command.otherwise}) {
      for (std::string line = part_line(); !line.empty(); line = part_line()) part->push_back(words_of(line, true));
    }
    if (next_line() != kEnd) refuse("EOF is expected here: a txn has three parts, each ended by an empty line");
  }

  std::string part_line() {
    if (rest_.empty()) refuse("the txn is not closed: write three parts, each ended by an empty line, then EOF");
    std::string line = without_blanks(next_line());
    if (line == kEnd) refuse("EOF comes too early: a txn has three parts, each ended by an empty line");
    return line;
  }

  EtcdFile::Line compare_of(const std::string& line) const {
    static const Pattern kCompare(R"re(([a-z]+)\("([^"]*)"\) (\S+) "([^"]*)")re");
    const std::vector<std::string> words = kCompare.groups(line);
    if (words.empty()) refuse("'" + line + R"(': write create("KEY") = "0")");
    EtcdFile::Line out;
    for (const std::string& word : words) out.push_back(pieces_of(word));
    return out;
  }

  // `bare`: parameters may be outside quotes, because no shell splits the line.
  EtcdFile::Line words_of(const std::string& line, bool bare) const {
    EtcdFile::Line out;
    for (std::size_t at = 0; at < line.size();) {
      if (line[at] == ' ' || line[at] == '\t' || line[at] == '\r') {
        ++at;
      } else {
        out.push_back(word_at(line, at, bare));
      }
    }
    return out;
  }

  EtcdFile::Word word_at(const std::string& line, std::size_t& at, bool bare) const {
    EtcdFile::Word out;
    const auto ends = [&] {
      return at >= line.size() || std::string_view(" \t\r").find(line[at]) != std::string::npos;
    };
    if (line[at] == '"') {
      const auto end = line.find('"', at + 1);
      if (end == std::string::npos) refuse("a quote has no end");
      out = pieces_of(line.substr(at + 1, end - at - 1));
      at = end + 1;
      if (!ends()) refuse("a space must follow a quoted word");
      return out;
    }
    const std::size_t begin = at;
    while (!ends() && (plain_in_shell(line[at]) || (bare && line[at] == '$'))) ++at;
    if (!ends()) refuse(std::string("'") + line[at] + "' is not allowed here: put the word into double quotes");
    return pieces_of(line.substr(begin, at - begin));
  }

  // Parts of a text in double quotes: $name, and text that a shell leaves unchanged.
  EtcdFile::Word pieces_of(const std::string& text) const {
    for (const char c : text) {
      if (c == '\\' || c == '`') refuse("'" + text + "': '" + c + "' is not allowed here");
    }
    EtcdFile::Word out;
    for (std::size_t at = 0; at < text.size();) {
      const bool parameter = text[at] == '$';
      std::size_t end = at + (parameter ? 1 : 0);
      while (end < text.size() && (parameter ? in_a_name(text[end]) : text[end] != '$')) ++end;
      const std::string piece = text.substr(at + (parameter ? 1 : 0), end - at - (parameter ? 1 : 0));
      const bool named = !piece.empty() && std::isdigit(static_cast<unsigned char>(piece.front())) == 0;
      if (parameter && !named) refuse("'" + text + "': a parameter is named by letters, digits and _");
      out.push_back({piece, parameter});
      at = end;
    }
    if (out.empty()) out.push_back({});
    return out;
  }

  std::string_view rest_;
  std::string file_;
  std::size_t number_ = 0;  // of the line
  std::string name_;
  std::vector<std::string> answers_;
  EtcdFile out_;
};

EtcdFile EtcdFile::parse(std::string_view text, const std::string& file) {
  return EtcdFileReader(text, file).read();
}

std::vector<std::string> EtcdFile::names() const {
  std::vector<std::string> out;
  for (const auto& [name, command] : commands_) out.push_back(name);
  return out;
}

std::vector<std::string> EtcdFile::parameters(std::string_view name) const {
  std::vector<std::string> out;
  filled(commands_.find(name)->second, [&](const std::string& parameter) {
    if (std::find(out.begin(), out.end(), parameter) == out.end()) out.push_back(parameter);
    return std::string();
  });
  return out;
}

EtcdCommand EtcdFile::bind(std::string_view name, Params params) const {
  const auto found = commands_.find(name);
  if (found == commands_.end()) throw std::logic_error("no command named '" + std::string(name) + "' in the file");
  return filled(found->second, [&](const std::string& parameter) {
    for (const auto& param : params) {
      if (param.name == parameter) return text_of_value(param.value);
    }
    throw std::logic_error(std::string(name) + ": parameter $" + parameter + " is not given");
  });
}

}  // namespace holdfast
