#include "checker/model.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>
#include <sstream>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"

namespace holdfast {
namespace {

std::set<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

constexpr std::int64_t kMostPermits = 1'000'000;
constexpr const char* kSemaphore = "semaphore";
constexpr const char* kReadWrite = "read_write";

// "semaphore" of "semaphore:3".
std::string word_of(const std::string& model) {
  return model.substr(0, model.find(':'));
}

std::set<std::string> known_models() {
  std::set<std::string> known;
  for (const auto& entry : properties()) known.merge(words(entry.type->models));
  return known;
}

std::vector<std::string> promised_under(const HistoryHeader& header, const std::string& model) {
  std::vector<std::string> promises;
  for (const auto& entry : properties()) {
    const bool promised =
        std::find(header.promises.begin(), header.promises.end(), entry.name) != header.promises.end();
    const bool of_no_model = words(entry.type->models).empty();
    if (of_no_model ? promised : judged_under(*entry.type, model)) promises.push_back(entry.name);
  }
  return promises;
}

bool judges(Concerns what, const std::string& model) {
  return std::any_of(properties().begin(), properties().end(), [&](const auto& entry) {
    return entry.type->words->concerns == what && judged_under(*entry.type, model);
  });
}

}  // namespace

bool judged_under(const PropertyType& type, const std::string& model) {
  return words(type.models).count(word_of(model)) > 0;
}

void check_model(const std::string& model) {
  const std::set<std::string> known = known_models();
  if (word_of(model) == kSemaphore) {
    permits_of(model);
    return;
  }
  if (known.count(model)) return;
  const std::vector<std::string> there_are{known.begin(), known.end()};
  throw BadInput(unknown_word("model", model, there_are));
}

bool decides(const PropertyType& type, const std::string& model) {
  return model != type.tells_only_under;
}

bool decides(const std::string& property, const std::string& model) {
  return decides(*find_entry(properties(), property), model);
}

bool judges_tokens(const std::string& model) {
  return judges(Concerns::tokens, model);
}

bool judges_owners(const std::string& model) {
  return judges(Concerns::owners, model);
}

bool judges_leases(const std::string& model) {
  return model == "lease";
}

bool is_model_of_one_holder(const std::string& model) {
  return model == "plain" || std::any_of(properties().begin(), properties().end(), [&model](const auto& entry) {
           return entry.type->words->concerns == Concerns::owners && judged_under(*entry.type, model);
         });
}

bool knows_shared(const std::string& model) {
  return model == kReadWrite || word_of(model) == kSemaphore;
}

std::int64_t permits_of(const std::string& model) {
  if (word_of(model) != kSemaphore) return 0;
  const std::string digits = model.substr(std::min(model.size(), word_of(model).size() + 1));
  std::int64_t permits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), permits);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (whole && permits >= 1 && permits <= kMostPermits) return permits;
  throw BadInput("model semaphore: needs the number of permits, from 1 to " + std::to_string(kMostPermits) +
                 ", as in semaphore:3");
}

HistoryHeader header_under(HistoryHeader header, const std::string& model) {
  for (const std::string& promise : header.promises) {
    if (!find_entry(properties(), promise))
      throw BadInput(unknown_word("property", promise, entry_names(properties())));
  }
  check_model(model.empty() ? header.model : model);
  if (model.empty()) return header;
  if (!header.foreign) header.promises = promised_under(header, model);
  header.model = model;
  return header;
}

}  // namespace holdfast
