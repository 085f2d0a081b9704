#include "checker/findings.hpp"

#include <algorithm>

#include "artifact/property_words.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kWitnesses = 5;

// The cause of a fault of which nothing is known weighs as those that are.
KindWeight weight_of(const std::string& kind) {
  const KindWords* words = find_kind(kind);
  return words == nullptr ? KindWeight::fault : words->weight;
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

PropertyVerdict Findings::verdict() const {
  PropertyVerdict verdict;
  verdict.judgement = Judgement::holds;
  if (undecided_ > 0) {
    verdict.judgement = Judgement::undecided;
    verdict.reason = undecided_ == 1 ? reason_ : reason_ + " (and " + std::to_string(undecided_ - 1) + " similar)";
  }
  if (count_ == 0) return verdict;
  verdict.judgement = Judgement::violated;
  verdict.reason.clear();
  verdict.kind = *std::min_element(seen_.begin(), seen_.end(),
                                   [](const auto& a, const auto& b) { return weight_of(a) < weight_of(b); });
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
