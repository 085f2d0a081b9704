#include "checker/panel.hpp"

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

void check_model(const std::string& model, const std::vector<Entry<PropertyType>>& catalogue) {
  std::set<std::string> known;
  for (const auto& entry : catalogue) known.merge(words(entry.type->models));
  if (!known.count(model)) throw BadInput(unknown_word("model", model, {known.begin(), known.end()}));
}

bool applies(const HistoryHeader& header, const Entry<PropertyType>& entry) {
  if (header.bare) return words(entry.type->models).count(header.model) > 0;
  return std::find(header.promises.begin(), header.promises.end(), entry.name) != header.promises.end();
}

}  // namespace

Panel::Panel(const PropertyContext& context, const std::vector<Entry<PropertyType>>& catalogue) : context_(context) {
  if (context.header.bare) check_model(context.header.model, catalogue);
  for (const std::string& promise : context.header.promises) {
    if (!find_entry(catalogue, promise)) throw BadInput(unknown_word("property", promise, entry_names(catalogue)));
  }
  for (const auto& entry : catalogue) {
    seats_.push_back({entry.name, applies(context.header, entry) ? entry.type->make(context) : nullptr, ""});
  }
}

template <typename Ask>
void Panel::ask(Seat& seat, const Ask& question) {
  if (!seat.property || !seat.failure.empty()) return;
  try {
    question(*seat.property);
  } catch (const std::exception& e) {
    seat.failure = std::string("check failed: ") + e.what();
  }
}

void Panel::granted(const Tenure& tenure) {
  for (Seat& seat : seats_) ask(seat, [&](Property& p) { p.granted(tenure); });
}

void Panel::ended(const Tenure& tenure) {
  for (Seat& seat : seats_) ask(seat, [&](Property& p) { p.ended(tenure); });
}

void Panel::event(const Event& event) {
  for (Seat& seat : seats_) ask(seat, [&](Property& p) { p.event(event); });
}

bool Panel::violated() const {
  return std::any_of(seats_.begin(), seats_.end(), [](const Seat& s) { return s.property && s.property->violated(); });
}

PropertyVerdict Panel::judge(Seat& seat) {
  PropertyVerdict verdict;
  if (!seat.property) {
    verdict.judgement = Judgement::not_applicable;
    verdict.reason = context_.header.bare ? "the model " + context_.header.model + " says nothing of it"
                                          : "the lock makes no such promise";
  }
  ask(seat, [&](Property& p) { verdict = p.finish(); });
  if (!seat.failure.empty()) {
    verdict = {};
    verdict.judgement = Judgement::undecided;
    verdict.reason = seat.failure;
  }
  verdict.property = seat.name;
  return verdict;
}

std::vector<PropertyVerdict> Panel::finish() {
  std::vector<PropertyVerdict> verdicts;
  for (Seat& seat : seats_) verdicts.push_back(judge(seat));
  return verdicts;
}

}  // namespace holdfast
