#include "artifact/schedule_word.hpp"

#include <cstdlib>
#include <sstream>

#include "artifact/enumeration.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/units.hpp"

namespace holdfast {
namespace {

// Suffix after the actor's letter: "A!lost". A step is the letter alone; a time has its own form.
constexpr EnumWords<WordKind> kNames({"", "", "lost", "late", "arrives", "cut", "crash", "victim", "ahead", "behind"});

[[noreturn]] void refuse(const std::string& word) {
  throw BadInput("'" + word +
                 "' is not a word of a schedule; remedy: a letter (A, a), a time (+1.5s), or a letter with " +
                 "!lost, !late, !arrives, !cut, !crash, !victim, !ahead or !behind");
}

// "+1.999999s"
Word parse_time(const std::string& word) {
  const std::string number = word.substr(1, word.size() - 2);
  const auto dot = number.find('.');
  std::string fraction = dot == std::string::npos ? "" : number.substr(dot + 1);
  const std::string whole = number.substr(0, dot);
  const bool digits = (whole + fraction).find_first_not_of("0123456789") == std::string::npos;
  if (word.back() != 's' || whole.empty() || whole.size() > 6 || fraction.size() > 6 || !digits) refuse(word);
  fraction.resize(6, '0');
  return {WordKind::time, 0, std::stoll(whole) * kSecond_us + std::stoll(fraction)};
}

Word parse_word(const std::string& word) {
  if (word.size() > 2 && word[0] == '+') return parse_time(word);
  const char letter = word[0];
  const bool client = letter >= 'A' && letter <= 'Z';
  if (!client && !(letter >= 'a' && letter <= 'z')) refuse(word);
  Word out;
  out.actor = static_cast<std::uint8_t>(client ? 2 * (letter - 'A') : 2 * (letter - 'a') + 1);
  if (word.size() == 1) return out;
  if (word[1] != '!' || word.size() == 2 || !kNames.read(word.substr(2), out.kind)) refuse(word);
  return out;
}

}  // namespace

std::string actor_name(std::uint8_t actor) {
  return std::string(1, static_cast<char>((actor % 2 == 0 ? 'A' : 'a') + actor / 2));
}

std::string seconds_text(std::int64_t time_us) {
  std::string out = std::to_string(time_us / kSecond_us);
  std::string fraction = std::to_string(time_us % kSecond_us + kSecond_us).substr(1);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return out + (fraction.empty() ? "" : "." + fraction) + "s";
}

std::string to_text(const Word& word) {
  if (word.kind == WordKind::time) return "+" + seconds_text(word.time_us);
  return actor_name(word.actor) + (word.kind == WordKind::step ? "" : std::string("!") + kNames[word.kind]);
}

std::string to_text(const std::vector<Word>& words) {
  std::string out;
  for (const auto& word : words) out += (out.empty() ? "" : " ") + to_text(word);
  return out;
}

std::vector<Word> parse_words(const std::string& text) {
  std::vector<Word> out;
  std::istringstream in(text);
  for (std::string word; in >> word;) out.push_back(parse_word(word));
  return out;
}

}  // namespace holdfast
