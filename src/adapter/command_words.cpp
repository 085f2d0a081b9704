#include "adapter/command_words.hpp"

#include "artifact/error.hpp"
#include "artifact/visible.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kLongestName = 60;
constexpr std::size_t kShownOfCommand = 200;

class WordSplitter {
 public:
  explicit WordSplitter(std::string_view command) : command_(command) {}

  std::vector<std::string> words() {
    while (at_ < command_.size()) take(command_[at_++]);
    end_word();
    if (words_.empty() || words_.front().empty()) refuse("a program is missing");
    return std::move(words_);
  }

 private:
  void take(char letter) {
    if (letter == '\0') refuse("a command cannot contain a NUL byte");
    if (letter == ' ' || letter == '\t' || letter == '\n') return end_word();
    inside_ = true;
    if (letter == '\\') {
      word_ += next("it ends with a backslash");
    } else if (letter == '\'' || letter == '"') {
      quoted(letter);
    } else {
      word_ += letter;
    }
  }

  void quoted(char quote) {
    const char* open = quote == '"' ? "a \" is not closed" : "a ' is not closed";
    for (char letter = next(open); letter != quote; letter = next(open)) {
      const bool escaped =
          quote == '"' && letter == '\\' && at_ < command_.size() && (command_[at_] == '"' || command_[at_] == '\\');
      word_ += escaped ? next(open) : letter;
    }
  }

  char next(const char* otherwise) {
    if (at_ == command_.size()) refuse(otherwise);
    if (command_[at_] == '\0') refuse("a command cannot contain a NUL byte");
    return command_[at_++];
  }

  void end_word() {
    if (inside_) words_.push_back(std::move(word_));
    word_.clear();
    inside_ = false;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw BadInput("the command \"" + clipped(shown_text(command_), kShownOfCommand) + "\": " + why +
                   "; remedy: for example python3 \"my lock.py\"");
  }

  std::string_view command_;
  std::size_t at_ = 0;
  std::string word_;
  bool inside_ = false;  // inside a word, which may be empty
  std::vector<std::string> words_;
};

bool is_name_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9');
}

}  // namespace

std::vector<std::string> command_words(std::string_view command) {
  return WordSplitter(command).words();
}

bool is_lock_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName || name.back() == '_') return false;
  char before = '_';
  for (const char letter : name) {
    if (letter == '_' ? before == '_' : !is_name_letter(letter)) return false;
    before = letter;
  }
  return true;
}

NamedCommand named_command(const std::string& text) {
  const auto equals = text.find('=');
  const std::string name = equals == std::string::npos ? "" : text.substr(0, equals);
  if (!is_lock_name(name)) {
    throw BadInput("\"" + clipped(shown_text(text), kShownOfCommand) +
                   "\" does not begin with a name of lower-case letters, digits and _; remedy: for example " +
                   "my_lock='python3 my_lock.py'");
  }
  return {name, command_words(std::string_view(text).substr(equals + 1))};
}

}  // namespace holdfast
