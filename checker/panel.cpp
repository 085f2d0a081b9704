#include "checker/panel.hpp"

#include <algorithm>

#include "checker/model.hpp"

namespace holdfast {
namespace {

bool applies(const HistoryHeader& header, const Entry<PropertyType>& entry) {
  if (header.foreign) return judged_under(*entry.type, header.model);
  return std::find(header.promises.begin(), header.promises.end(), entry.name) != header.promises.end();
}

std::string failure(const std::exception& e) {
  return std::string("check failed: ") + e.what();
}

}  // namespace

Panel::Panel(const PropertyContext& context, const std::vector<Entry<PropertyType>>& catalogue) : context_(context) {
  for (const auto& entry : catalogue) {
    const bool promised = entry.type->words->promised_by != PromisedBy::nobody;
    auto property = applies(context.header, entry) ? entry.type->make(context) : nullptr;
    seats_.push_back({entry.name, entry.type, std::move(property), promised, ""});
  }
  for (Seat& seat : seats_) {
    if (seat.property) active_.push_back({seat.property.get(), &seat});
    for (std::size_t kind = 0; seat.property && kind < hear_.size(); ++kind) {
      if (seat.property->hears().has(kind)) hear_[kind].push_back(active_.back());
    }
  }
}

void Panel::set_aside(Seat& seat, const std::exception& why) {
  seat.failure = failure(why);
  const auto its_own = [&](const Active& one) { return one.seat == &seat; };
  std::erase_if(active_, its_own);
  for (auto& list : hear_) std::erase_if(list, its_own);
}

void Panel::granted(const Hold& hold) {
  ask(hear_[Hears::kGranted], [&](Property& p) { p.granted(hold); });
}

void Panel::ended(const Hold& hold) {
  ask(hear_[Hears::kEnded], [&](Property& p) { p.ended(hold); });
}

void Panel::resumed(const Hold& hold, const std::vector<Hold>& meanwhile) {
  ask(active_, [&](Property& p) { p.resumed(hold, meanwhile); });
}

void Panel::tell(std::vector<Active>& whom, const Event& event) {
  ask(whom, [&](Property& p) { p.event(event); });
}

void Panel::forgotten(std::uint32_t process) {
  ask(active_, [&](Property& p) { p.forgotten(process); });
}

bool Panel::violated() const {
  return std::any_of(active_.begin(), active_.end(), [](const Active& a) { return a.property->violated(); });
}

bool Panel::decided() const {
  return std::any_of(active_.begin(), active_.end(), [this](const Active& a) {
    return a.property->violated() && decides(*a.seat->type, context_.header.model);
  });
}

PropertyVerdict Panel::judge(Seat& seat) {
  PropertyVerdict verdict;
  if (!seat.property) {
    verdict.judgement = Judgement::not_applicable;
    verdict.reason = context_.header.foreign ? "the model " + context_.header.model + " does not judge it"
                                             : "the lock does not promise this";
  }
  try {
    if (seat.property && seat.failure.empty()) verdict = seat.property->finish();
  } catch (const std::exception& e) {
    seat.failure = failure(e);
  }
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
  for (Seat& seat : seats_) {
    if (seat.property || seat.spoken_of) verdicts.push_back(judge(seat));
  }
  return verdicts;
}

}  // namespace holdfast
