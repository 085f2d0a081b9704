#include "checker/property_set.hpp"

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

PropertySet::PropertySet(const PropertyContext& context, const std::vector<Entry<PropertyType>>& catalogue)
    : context_(context) {
  for (const auto& entry : catalogue) {
    const bool promised = entry.type->words->promised_by != PromisedBy::nobody;
    auto property = applies(context.header, entry) ? entry.type->make(context) : nullptr;
    slots_.push_back({entry.name, entry.type, std::move(property), promised, ""});
  }
  for (PropertySlot& slot : slots_) {
    if (slot.property) active_.push_back({slot.property.get(), &slot});
    for (std::size_t kind = 0; slot.property && kind < subscribers_.size(); ++kind) {
      if (slot.property->events_wanted().has(kind)) subscribers_[kind].push_back(active_.back());
    }
  }
}

void PropertySet::set_aside(PropertySlot& slot, const std::exception& why) {
  slot.failure = failure(why);
  const auto its_own = [&](const Active& one) { return one.slot == &slot; };
  std::erase_if(active_, its_own);
  for (auto& list : subscribers_) std::erase_if(list, its_own);
}

void PropertySet::granted(const Hold& hold) {
  ask(subscribers_[EventFilter::kGranted], [&](Property& p) { p.granted(hold); });
}

void PropertySet::ended(const Hold& hold) {
  ask(subscribers_[EventFilter::kEnded], [&](Property& p) { p.ended(hold); });
}

void PropertySet::resumed(const Hold& hold, const std::vector<Hold>& meanwhile) {
  ask(active_, [&](Property& p) { p.resumed(hold, meanwhile); });
}

void PropertySet::tell(std::vector<Active>& whom, const Event& event) {
  ask(whom, [&](Property& p) { p.event(event); });
}

void PropertySet::forgotten(std::uint32_t process) {
  ask(active_, [&](Property& p) { p.forgotten(process); });
}

bool PropertySet::violated() const {
  return std::any_of(active_.begin(), active_.end(), [](const Active& a) { return a.property->violated(); });
}

bool PropertySet::decided() const {
  return std::any_of(active_.begin(), active_.end(), [this](const Active& a) {
    return a.property->violated() && decides(*a.slot->type, context_.header.model);
  });
}

bool PropertySet::decided_by_open_holds(std::uint32_t key) const {
  return std::any_of(active_.begin(), active_.end(), [&](const Active& a) {
    return decides(*a.slot->type, context_.header.model) && a.property->violated_by_open_holds(key);
  });
}

PropertyVerdict PropertySet::judge(PropertySlot& slot) {
  PropertyVerdict verdict;
  if (!slot.property) {
    verdict.judgement = Judgement::not_applicable;
    verdict.reason = context_.header.foreign ? "the model " + context_.header.model + " says nothing of it"
                                             : "the lock makes no such promise";
  }
  try {
    if (slot.property && slot.failure.empty()) verdict = slot.property->finish();
  } catch (const std::exception& e) {
    slot.failure = failure(e);
  }
  if (!slot.failure.empty()) {
    verdict = {};
    verdict.judgement = Judgement::undecided;
    verdict.reason = slot.failure;
  }
  verdict.property = slot.name;
  return verdict;
}

std::vector<PropertyVerdict> PropertySet::finish() {
  std::vector<PropertyVerdict> verdicts;
  for (PropertySlot& slot : slots_) {
    if (slot.property || slot.spoken_of) verdicts.push_back(judge(slot));
  }
  return verdicts;
}

}  // namespace holdfast
