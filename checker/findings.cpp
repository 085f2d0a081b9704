#include "checker/findings.hpp"

#include <algorithm>
#include <array>

namespace holdfast {
namespace {

constexpr std::size_t kWitnesses = 5;

// Kinds that no fault and no lapse of time explains.
constexpr std::array<const char*, 16> kAlgorithmic{
    "algorithm",  "too_many_holders",      "foreign_release",     "foreign_renew",
    "lost_lock",  "release_without_grant", "granted_twice",       "stale_write",
    "stuck",      "refused_while_free",    "refused_free",        "served_twice",
    "acted_late", "acquired_while_held",   "released_while_free", "not_held_while_held"};

int levity(const std::string& kind) {
  if (std::find(kAlgorithmic.begin(), kAlgorithmic.end(), kind) != kAlgorithmic.end()) return 0;
  if (kind == "late_grant") return 2;
  if (kind == "overrun") return 3;
  return 1;
}

}  // namespace

bool Findings::count(const std::string& kind, std::int64_t duration_ns) {
  ++count_;
  total_ns_ += duration_ns;
  const bool first = kinds_[kind]++ == 0;
  if (first) seen_.push_back(kind);
  return first || witnesses_.size() < kWitnesses;
}

Witness Findings::tidy(const std::string& kind, Witness witness) {
  witness.kind = kind;
  std::sort(witness.indices.begin(), witness.indices.end());
  witness.indices.erase(std::unique(witness.indices.begin(), witness.indices.end()), witness.indices.end());
  return witness;
}

void Findings::undecided(const std::string& reason) {
  if (undecided_++ == 0) reason_ = reason;
}

PropertyVerdict Findings::verdict() const {
  PropertyVerdict verdict;
  verdict.judgement = Judgement::holds;
  if (undecided_ > 0) {
    verdict.judgement = Judgement::undecided;
    verdict.reason = undecided_ == 1 ? reason_ : reason_ + " (and " + std::to_string(undecided_ - 1) + " more like it)";
  }
  if (count_ == 0) return verdict;
  verdict.judgement = Judgement::violated;
  verdict.reason.clear();
  verdict.kind =
      *std::min_element(seen_.begin(), seen_.end(), [](const auto& a, const auto& b) { return levity(a) < levity(b); });
  verdict.kinds = kinds_;
  verdict.count = count_;
  verdict.total_ns = total_ns_;
  verdict.witnesses = witnesses_;
  return verdict;
}

void not_exercised(PropertyVerdict& verdict, const std::string& reason) {
  if (verdict.judgement != Judgement::holds) return;
  verdict.judgement = Judgement::not_exercised;
  verdict.reason = reason;
}

}  // namespace holdfast
