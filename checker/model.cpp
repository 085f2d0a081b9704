#include "checker/model.hpp"

#include <algorithm>
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

}  // namespace

bool judged_under(const PropertyType& type, const std::string& model) {
  return words(type.models).count(model) > 0;
}

void check_model(const std::string& model) {
  const std::set<std::string> known = known_models();
  if (known.count(model)) return;
  const std::vector<std::string> there_are{known.begin(), known.end()};
  throw BadInput(unknown_word("model", model, there_are));
}

HistoryHeader header_under(HistoryHeader header, const std::string& model) {
  for (const std::string& promise : header.promises) {
    if (!find_entry(properties(), promise))
      throw BadInput(unknown_word("property", promise, entry_names(properties())));
  }
  check_model(model.empty() ? header.model : model);
  if (model.empty()) return header;
  if (!header.bare) header.promises = promised_under(header, model);
  header.model = model;
  return header;
}

}  // namespace holdfast
