#include "reports/finding.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "artifact/property_words.hpp"

namespace holdfast {
namespace {

// Not-as-expected properties first, then violated ones with a witness, then by their rank; of a search, what only needs
// fencing comes after what violates the lock.
bool more_telling(const Finding& f, const PropertyVerdict& a, const PropertyVerdict& b) {
  const auto rank = [&](const PropertyVerdict& p) {
    const bool violated = p.judgement == Judgement::violated;
    const KindWords* kind = find_kind(p.kind);
    const bool weak = is_explored(*f.cell) && kind != nullptr && kind->weight == KindWeight::lapse;
    return std::array<int, 5>{is_mismatch(*f.trial, p.property) ? 0 : 1, violated ? 0 : 1, p.witnesses.empty() ? 1 : 0,
                              weak ? 1 : 0, rank_of(p.property)};
  };
  return rank(a) < rank(b);
}

bool leads_to_more(const Witness& witness) {
  const KindWords* kind = find_kind(witness.kind);
  return kind != nullptr && kind->leads_to_more;
}

bool share_an_event(const Witness& a, const Witness& b) {
  return std::find_first_of(a.indices.begin(), a.indices.end(), b.indices.begin(), b.indices.end()) != a.indices.end();
}

// True if it freed or prolonged a hold of one of the other's holders, before the other began.
bool led_to(const Witness& strangers, const Witness& other) {
  return strangers.key == other.key && strangers.from_ns <= other.from_ns && share_an_event(strangers, other);
}

// Holders overlap, and data is damaged, because another client freed the lock: then that is the story, and other facts
// about the overlap (a fault that struck one of its parties, say) are beside the point.
// Finds of a search are separate schedules: one in which a client frees another's lock shows the mistake more plainly
// than an overlap, and needs no other find after it.
void tell_what_came_first(Finding& found, const std::set<std::string>& told_of) {
  const PropertyWords* told = find_entry(property_words(), found.property->property);
  if (told == nullptr || (told->concerns != Concerns::holders && told->concerns != Concerns::data)) return;
  for (const auto& property : found.trial->verdict.properties) {
    if (!told_of.empty() && !told_of.contains(property.property)) continue;
    for (const auto& strangers : property.witnesses) {
      if (!leads_to_more(strangers)) continue;
      if (is_explored(*found.cell)) {
        found = {found.cell, found.trial, &property, &strangers};
        return;
      }
      for (const auto& other : found.property->witnesses) {
        if (!led_to(strangers, other)) continue;
        found = {found.cell, found.trial, &property, &strangers, found.property, &other};
        return;
      }
    }
  }
}

// `told_of`: only these properties; empty: any.
Finding finding_among(const Cell& cell, const TrialResult& trial, const std::set<std::string>& told_of) {
  Finding out{&cell, &trial};
  for (const auto& property : trial.verdict.properties) {
    if (!told_of.empty() && !told_of.contains(property.property)) continue;
    const bool told = property.judgement == Judgement::violated || is_mismatch(trial, property.property);
    if (told && (out.property == nullptr || more_telling(out, property, *out.property))) out.property = &property;
  }
  if (out.property == nullptr || out.property->witnesses.empty()) return out;
  out.witness = &out.property->witnesses.front();
  tell_what_came_first(out, told_of);
  return out;
}

std::set<std::string> new_properties(const RunVerdict& run, const Cell& cell) {
  std::set<std::string> out;
  for (const auto& change : run.changes) {
    const bool here = change.lock == cell.lock && change.scenario == cell.scenario;
    if (here && change.change == Change::fresh) out.insert(change.property);
  }
  return out;
}

}  // namespace

Finding finding_of(const Cell& cell, const TrialResult& trial) {
  return finding_among(cell, trial, {});
}

Finding finding_of(const Cell& cell) {
  const auto same = std::find_if(cell.trials.begin(), cell.trials.end(),
                                 [&](const TrialResult& trial) { return trial.outcome == cell.outcome; });
  if (same != cell.trials.end()) return finding_of(cell, *same);
  return cell.trials.empty() ? Finding{&cell} : finding_of(cell, cell.trials.front());
}

Finding finding_of(const RunVerdict& run, const Cell& cell) {
  const bool wrong = cell.outcome == Outcome::unexpected || cell.outcome == Outcome::missed;
  const auto fresh = wrong ? new_properties(run, cell) : std::set<std::string>();
  for (const auto& trial : cell.trials) {
    const bool shows =
        std::any_of(fresh.begin(), fresh.end(), [&](const auto& name) { return is_mismatch(trial, name); });
    if (!shows) continue;
    const Finding out = finding_among(cell, trial, fresh);
    if (out.property != nullptr) return out;
  }
  return finding_of(cell);
}

}  // namespace holdfast
