#include "servers/zookeeper/zookeeper_file.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <functional>
#include <optional>
#include <stdexcept>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"

namespace holdfast {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kNameNote = "# name:";
constexpr std::string_view kAnswersNote = "# answers:";
constexpr std::string_view kBlanks = " \t\r";

bool in_parameter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Splits words at blanks; one in double quotes may contain some, or be empty.
Words split_command(std::string_view line) {
  Words out;
  for (std::size_t at = 0; (at = line.find_first_not_of(kBlanks, at)) != std::string_view::npos;) {
    const bool quoted = line[at] == '"';
    const std::size_t begin = at + (quoted ? 1 : 0);
    const std::size_t end = quoted ? line.find('"', begin) : std::min(line.find_first_of(kBlanks, begin), line.size());
    if (end == std::string_view::npos) throw BadInput("a quote has no end");
    const std::string_view word = line.substr(begin, end - begin);
    if (const auto odd = word.find_first_of("\\\x60'\""); odd != std::string_view::npos) {
      throw BadInput("'" + std::string(word) + "': '" + word[odd] + "' is not allowed here");
    }
    out.emplace_back(word);
    at = end + (quoted ? 1 : 0);
    if (quoted && at < line.size() && kBlanks.find(line[at]) == std::string_view::npos) {
      throw BadInput("a space must follow a quoted word");
    }
  }
  return out;
}

using ValueOf = std::function<std::string(const std::string& parameter)>;

std::string put_in(const std::string& word, const ValueOf& value_of) {
  std::string out;
  for (std::size_t at = 0; at < word.size();) {
    if (word[at] != '$') {
      out += word[at++];
      continue;
    }
    std::size_t end = at + 1;
    while (end < word.size() && in_parameter(word[end])) ++end;
    const std::string name = word.substr(at + 1, end - at - 1);
    if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0) {
      throw BadInput("'" + word + "': a parameter is named by letters, digits and _");
    }
    out += value_of(name);
    at = end;
  }
  return out;
}

std::string as_text(const Value& value) {
  if (std::holds_alternative<std::nullptr_t>(value)) return "";
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

// Takes the words of a command one by one, options first.
class CommandReader {
 public:
  explicit CommandReader(Words words) : words_(std::move(words)) {}

  bool flag(const std::string& name) {
    const auto found = std::find(words_.begin(), words_.end(), name);
    if (found == words_.end()) return false;
    words_.erase(found);
    return true;
  }
  std::optional<std::int64_t> number_after(const std::string& name) {
    const auto found = std::find(words_.begin(), words_.end(), name);
    if (found == words_.end()) return std::nullopt;
    if (found + 1 == words_.end()) throw BadInput(name + ": a number must follow");
    const std::string digits = *(found + 1);
    words_.erase(found, found + 2);
    std::int64_t out = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
    if (error != std::errc() || stop != digits.data() + digits.size()) {
      throw BadInput(name + ": '" + digits + "' is not a number");
    }
    return out;
  }
  std::string next(const char* what) {
    if (words_.empty()) throw BadInput(std::string(what) + " is missing");
    std::string out = words_.front();
    words_.erase(words_.begin());
    return out;
  }
  std::string path() {
    std::string out = next("the path of a node");
    if (out.empty() || out.front() != '/') throw BadInput("'" + out + "': the path of a node begins with /");
    return out;
  }
  void end() const {
    if (!words_.empty()) throw BadInput("'" + words_.front() + "' is not expected here");
  }

 private:
  Words words_;
};

Words fields_of_answer(ZooKeeperVerb verb) {
  switch (verb) {
    case ZooKeeperVerb::open:
      return {"session"};
    case ZooKeeperVerb::create:
      return {"path", "czxid"};
    case ZooKeeperVerb::list:
      return {"name"};
    case ZooKeeperVerb::get:
      return {"data", "czxid", "version", "mtime"};
    case ZooKeeperVerb::stat:
      return {"czxid", "version", "mtime"};
    case ZooKeeperVerb::set:
      return {"version", "mtime"};
    case ZooKeeperVerb::remove:
    case ZooKeeperVerb::sync:
      break;
  }
  return {};
}

ZooKeeperVerb verb_of(const std::string& word) {
  static const std::vector<std::pair<std::string, ZooKeeperVerb>> kVerbs{
      {"zkCli.sh", ZooKeeperVerb::open}, {"create", ZooKeeperVerb::create}, {"ls", ZooKeeperVerb::list},
      {"get", ZooKeeperVerb::get},       {"stat", ZooKeeperVerb::stat},     {"set", ZooKeeperVerb::set},
      {"delete", ZooKeeperVerb::remove}, {"sync", ZooKeeperVerb::sync}};
  Words known;
  for (const auto& [name, verb] : kVerbs) {
    if (name == word) return verb;
    known.push_back(name);
  }
  throw BadInput(unknown_word("command of zkCli.sh", word, known));
}

// With sample values valid everywhere: 1, and where a parameter may be a whole path, /1.
Words sample(const Words& words) {
  Words out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool number = i > 0 && (words[i - 1] == "-v" || words[i - 1] == "-timeout");
    const bool may_be_path = !number && words[i].rfind('$', 0) == 0;
    out.push_back((may_be_path ? "/" : "") + put_in(words[i], [](const std::string&) { return "1"; }));
  }
  return out;
}

}  // namespace

ZooKeeperCommand zookeeper_command(const Words& words, const Words& answers) {
  CommandReader rest(words);
  ZooKeeperCommand out;
  out.verb = verb_of(rest.next("the name of a command"));
  out.answers = answers;
  if (out.verb == ZooKeeperVerb::open) {
    const auto session_ms = rest.number_after("-timeout");
    if (!session_ms) throw BadInput("zkCli.sh needs -timeout, the session's time-out in milliseconds");
    out.session_ms = *session_ms;
  } else {
    if (out.verb == ZooKeeperVerb::create) {
      out.sequential = rest.flag("-s");
      out.ephemeral = rest.flag("-e");
    }
    if (out.verb == ZooKeeperVerb::set || out.verb == ZooKeeperVerb::remove) {
      out.version = rest.number_after("-v").value_or(-1);
    }
    out.path = rest.path();
    if (out.verb == ZooKeeperVerb::create || out.verb == ZooKeeperVerb::set) out.data = rest.next("the node's data");
  }
  rest.end();
  const Words fields = fields_of_answer(out.verb);
  for (const auto& field : answers) {
    if (std::find(fields.begin(), fields.end(), field) == fields.end()) {
      throw BadInput(unknown_word("field of an answer to " + words.front(), field, fields));
    }
  }
  return out;
}

ZooKeeperFile ZooKeeperFile::parse(std::string_view text, const std::string& file) {
  ZooKeeperFile out;
  std::string name;
  Words answers;
  std::size_t number = 0;
  const auto refuse = [&](const std::string& why) { throw BadInput(file + ":" + std::to_string(number) + ": " + why); };
  const auto check_last = [&] {
    if (!name.empty() && !out.has(name)) refuse("'" + name + "' has no command");
  };
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    try {
      if (line.rfind(kNameNote, 0) == 0) {
        check_last();
        const Words words = split_command(line.substr(kNameNote.size()));
        if (words.size() != 1 || out.has(words.front())) refuse("each command needs a new name of one word");
        name = words.front();
        answers.clear();
      } else if (line.rfind(kAnswersNote, 0) == 0 && !name.empty()) {
        answers = split_command(line.substr(kAnswersNote.size()));
      } else if (line.find_first_not_of(kBlanks) != std::string_view::npos && line.front() != '#' && !name.empty()) {
        if (out.has(name)) refuse("'" + name + "' has a second command: each name has one");
        const Command command{split_command(line), answers};
        zookeeper_command(sample(command.words), answers);
        out.commands_[name] = command;
      }
    } catch (const BadInput& wrong) {
      if (std::string_view(wrong.what()).rfind(file + ":", 0) == 0) throw;
      refuse(wrong.what());
    }
  }
  check_last();
  return out;
}

const ZooKeeperFile::Command& ZooKeeperFile::command(std::string_view name) const {
  const auto found = commands_.find(name);
  if (found == commands_.end()) throw std::logic_error("no command named '" + std::string(name) + "' in the file");
  return found->second;
}

bool ZooKeeperFile::opens(std::string_view name) const {
  return has(name) && command(name).words.front() == "zkCli.sh";
}

std::vector<std::string> ZooKeeperFile::names() const {
  std::vector<std::string> out;
  for (const auto& [name, command] : commands_) out.push_back(name);
  return out;
}

std::vector<std::string> ZooKeeperFile::parameters(std::string_view name) const {
  std::vector<std::string> out;
  for (const auto& word : command(name).words) {
    put_in(word, [&](const std::string& parameter) {
      if (std::find(out.begin(), out.end(), parameter) == out.end()) out.push_back(parameter);
      return "";
    });
  }
  return out;
}

ZooKeeperCommand ZooKeeperFile::bind(std::string_view name, Params params) const {
  const Command& found = command(name);
  Words words;
  for (const auto& word : found.words) {
    words.push_back(put_in(word, [&](const std::string& parameter) {
      for (const auto& param : params) {
        if (param.name == parameter) return as_text(param.value);
      }
      throw std::logic_error(std::string(name) + ": parameter $" + parameter + " is not given");
    }));
  }
  return zookeeper_command(words, found.answers);
}

}  // namespace holdfast
