#include "reports/glossary.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "artifact/property_words.hpp"
#include "reports/outcome_words.hpp"

namespace holdfast {
namespace {

struct Term {
  const char* name;
  const char* meaning;
};

constexpr std::array<Term, 10> kTerms{{
    {"grant", "the answer that tells a client that it now holds the lock"},
    {"holder",
     "a client that acts as the lock's owner: from its grant until it releases the lock, learns that it lost the lock, "
     "or gives up"},
    {"lease", "the time after which a grant expires by itself, whatever its holder does or knows"},
    {"fencing token",
     "a number that increases with every grant. A holder sends it with each write, and the resource refuses a smaller "
     "number than it has already seen. So a former holder can do no harm"},
    {"stale write", "a write with the token of an earlier grant; if refused, it does no harm"},
    {"protected data, resource",
     "the data that the lock protects; here a counter in a database, which holders read and write"},
    {"control",
     "the same trial without the suspected fault. The fault is confirmed as the cause only if all controls hold"},
    {"coverage",
     "how often the situations that test a property occurred. For example, `attempts in hold` counts the attempts to "
     "acquire a key while another client held it"},
    {"witness", "the shortest sequence of events that proves a violation. The first ones of each kind are kept"},
    {"not exercised", "the dangerous moment never came, so the property was not tested: not a pass"},
}};

std::string meaning_of_cause(const KindWords& kind) {
  if (*kind.meaning != '\0') return kind.meaning;
  return "a fault of this kind was active between the earlier grant and the violation: it is suspected, until controls "
         "without it have held";
}

// The broken promise, for a kind that only its property explains.
std::string meaning_of_kind(const std::string& name) {
  for (const auto& property : property_words()) {
    for (const KindWords& kind : property.type->kinds) {
      if (name != kind.name) continue;
      return *kind.meaning != '\0' ? kind.meaning : std::string("violated: ") + property.type->summary;
    }
  }
  return "";
}

std::string address_of(const std::string& word) {
  return "word/" + anchor(word);
}

void write_entry(const std::string& id, const std::string& name, const std::string& meaning, HtmlWriter& out) {
  out.element("dt", {{"id", id}}, name);
  out.element("dd", {}, meaning + ".");
}

// Properties in the order in which people meet them, the most severe first; then kinds by name.
std::vector<std::string> in_order(const std::set<std::string>& words) {
  std::vector<std::string> out(words.begin(), words.end());
  std::stable_sort(out.begin(), out.end(), [](const std::string& a, const std::string& b) {
    const auto place = [](const std::string& word) {
      return find_entry(property_words(), word) == nullptr ? kLastRank + 1 : rank_of(word);
    };
    return place(a) < place(b);
  });
  return out;
}

void add_words_of(const TrialVerdict& verdict, std::set<std::string>& words) {
  for (const auto& property : verdict.properties) {
    words.insert(property.property);
    if (!property.kind.empty()) words.insert(property.kind);
    for (const auto& [kind, count] : property.kinds) words.insert(kind);
  }
}

}  // namespace

std::string meaning_of_word(const std::string& word) {
  if (const PropertyWords* property = find_entry(property_words(), word)) return property->summary;
  if (std::string kind = meaning_of_kind(word); !kind.empty()) return kind;
  const KindWords* cause = find_cause(word);
  return cause == nullptr ? "" : meaning_of_cause(*cause);
}

void write_word(const std::string& word, HtmlWriter& out) {
  const std::string meaning = meaning_of_word(word);
  if (meaning.empty()) return out.text(spaced(word));
  out.element("a", {{"class", "term"}, {"href", "#" + address_of(word)}, {"title", meaning}}, spaced(word));
}

void write_seen(const std::string& seen, HtmlWriter& out) {
  const auto colon = seen.find(':');
  out.text(spaced(seen.substr(0, colon)));
  if (colon == std::string::npos) return;
  out.text(": ");
  write_word(seen.substr(colon + 1), out);
}

std::set<std::string> words_of_run(const RunVerdict& run) {
  std::set<std::string> out;
  for (const auto& cell : run.cells) {
    for (const auto& [property, stated] : cell.expected) out.insert(property);
    for (const auto& trial : cell.trials) add_words_of(trial.verdict, out);
  }
  return out;
}

void write_glossary(const std::set<std::string>& words, HtmlWriter& out) {
  const auto section = out.tag("section", {{"id", "glossary"}});
  out.element("h2", {}, "Glossary");
  const auto list = out.tag("dl", {{"class", "meanings glossary"}});
  for (const Term& term : kTerms) write_entry("", term.name, term.meaning, out);
  for (const auto& word : in_order(words)) {
    if (const std::string meaning = meaning_of_word(word); !meaning.empty()) {
      write_entry(address_of(word), spaced(word), meaning, out);
    }
  }
}

}  // namespace holdfast
