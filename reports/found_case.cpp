#include "reports/found_case.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "artifact/property_words.hpp"
#include "reports/load_flaws.hpp"

namespace holdfast {
namespace {

// Causes of violations that no lease prevents.
constexpr const char* kLeaseOver = "lease expired";
constexpr const char* kStateLost = "server lost state";

bool is_confirmed(const TrialResult& trial, const std::string& kind) {
  return std::any_of(trial.causes.begin(), trial.causes.end(), [&](const CauseFinding& cause) {
    return cause.of_fault && cause.kind == kind && cause.state == CauseState::confirmed;
  });
}

// When the first of a property's violations of such a kind began; nothing: unknown.
template <typename IsKind>
std::optional<std::int64_t> first_ns(const PropertyVerdict& property, const IsKind& is_kind) {
  std::optional<std::int64_t> out;
  for (const auto& witness : property.witnesses) {
    if (is_kind(witness.kind) && (!out || witness.from_ns < *out)) out = witness.from_ns;
  }
  return out;
}

// The action against an owner, if it came first: a lost lock says less.
std::string deed_to_owner(const PropertyVerdict& property) {
  if (!concerns(property.property, Concerns::owners)) return "";
  std::string out;
  std::int64_t earliest_ns = std::numeric_limits<std::int64_t>::max();
  for (const auto& kind_and_count : property.kinds) {
    const std::string& kind = kind_and_count.first;
    const KindWords* words = find_kind(kind);
    if (words == nullptr || words->without_suspect || words->answer_only || find_cause(kind) != nullptr) continue;
    const std::int64_t done_ns =
        first_ns(property, [&kind](const std::string& other) { return other == kind; }).value_or(earliest_ns - 1);
    if (done_ns >= earliest_ns) continue;
    earliest_ns = done_ns;
    out = kind;
  }
  return out;
}

// Two clients that hold at once also free each other's lock: then the overlap says more, unless it came from a lease
// that had run out.
bool follows_overlap(const TrialResult& trial, const PropertyVerdict& property, const std::string& deed) {
  const auto done_ns = first_ns(property, [&deed](const std::string& kind) { return kind == deed; });
  const auto by_itself = [](const std::string& kind) {
    const KindWords* words = find_kind(kind);
    return words != nullptr && words->weight <= KindWeight::fault;
  };
  return done_ns && std::any_of(trial.verdict.properties.begin(), trial.verdict.properties.end(),
                                [&](const PropertyVerdict& other) {
                                  const auto overlap_ns = first_ns(other, by_itself);
                                  return concerns(other.property, Concerns::holders) && overlap_ns &&
                                         *overlap_ns < *done_ns;
                                });
}

// As deed_to_owner, where it leads to what else was seen.
std::string leading_deed(const TrialResult& trial, const PropertyVerdict& property) {
  std::string deed = deed_to_owner(property);
  return deed.empty() || follows_overlap(trial, property, deed) ? "" : deed;
}

// Ranks explanations: a fault that controls have confirmed, then an action against an owner, then the most severe. If
// no promise was broken, the state of the data.
int telling_rank(const TrialResult& trial, const PropertyVerdict& property, bool promised) {
  if (is_confirmed(trial, property.kind)) return 0;
  const bool first = promised ? !leading_deed(trial, property).empty() : concerns(property.property, Concerns::data);
  return first ? 1 : 1 + rank_of(property.property);
}

const PropertyVerdict* most_telling(const Cell& cell, const TrialResult& trial, bool promised) {
  const PropertyVerdict* out = nullptr;
  for (const auto& property : trial.verdict.properties) {
    if (property.judgement != Judgement::violated || breaks_promise(cell, trial, property) != promised) continue;
    const auto rank = [&](const PropertyVerdict& one) { return telling_rank(trial, one, promised); };
    if (out == nullptr || rank(property) < rank(*out)) out = &property;
  }
  return out;
}

bool controls_refute(const TrialResult& trial, const std::string& kind) {
  return std::any_of(trial.causes.begin(), trial.causes.end(),
                     [&](const CauseFinding& cause) { return cause.kind == kind && is_refuted(cause); });
}

// Groups cases into findings. A holder that lost its lock is the same event as another client let in, and a fault that
// is not the cause leaves the lock's own statements.
std::string key_of_cause(const TrialResult& trial, const PropertyVerdict& property, const std::string& kind) {
  const KindWords* words = find_kind(kind);
  const bool by_itself = (words != nullptr && words->without_suspect) || controls_refute(trial, kind);
  if (!by_itself) return kind;
  const bool of_lease = concerns(property.property, Concerns::holders) || concerns(property.property, Concerns::data) ||
                        concerns(property.property, Concerns::owners);
  const bool asserted = concerns(property.property, Concerns::author) && !property.witnesses.empty();
  return of_lease ? kinds::kAlgorithm.name : property.property + (asserted ? property.witnesses.front().key : "");
}

// The property's own kind is the one that accuses the lock most. Beside a fault that explains most of its violations
// that kind is a chance find.
std::string most_frequent_kind(const CellAssessment& one, const PropertyVerdict& property) {
  std::string out = property.kind;
  if (one.faults.empty()) return out;
  const auto count = [&property](const std::string& kind) {
    const auto found = property.kinds.find(kind);
    return found == property.kinds.end() ? 0 : found->second;
  };
  for (const auto& [kind, times] : property.kinds) {
    if (find_cause(kind) != nullptr && times > count(out)) out = kind;
  }
  return out;
}

const Witness* witness_of(const PropertyVerdict& property, const std::string& kind) {
  const auto found = std::find_if(property.witnesses.begin(), property.witnesses.end(),
                                  [&kind](const Witness& one) { return one.kind == kind; });
  if (found != property.witnesses.end()) return &*found;
  return property.witnesses.empty() ? nullptr : &property.witnesses.front();
}

}  // namespace

bool is_plain(const Cell& cell) {
  return cell.scenario == "none" || cell.scenario == "crowd" || cell.scenario == kOverlappingLoad;
}

std::optional<FoundCase> found_case(const CellAssessment& one) {
  if (one.severity >= Severity::nothing_broke) return std::nullopt;
  const Cell& cell = *one.cell;
  const TrialResult& trial = *one.worst;
  FoundCase out;
  out.of = &one;
  const PropertyVerdict* property = most_telling(cell, trial, true);
  out.promised = property != nullptr;
  if (property == nullptr) property = most_telling(cell, trial, false);
  if (property == nullptr) return std::nullopt;
  const std::string kind = out.promised ? most_frequent_kind(one, *property) : property->kind;
  out.found = {&cell, &trial, property, witness_of(*property, kind)};
  const std::string deed = out.promised ? leading_deed(trial, *property) : "";
  out.confirmed = is_confirmed(trial, kind);
  out.kind = deed.empty() || out.confirmed ? kind : deed;
  out.cause = out.promised                       ? key_of_cause(trial, *property, out.kind)
              : is_of_lost_state(property->kind) ? kStateLost
                                                 : kLeaseOver;
  // A load that asks for something special (keys that look alike) may break for a reason of its own.
  out.special = one.faults.empty() && !is_plain(cell) && !one.explored;
  return out;
}

}  // namespace holdfast
