// Pieces of a key's operations that KeyOrders tries, and their results.
#include <algorithm>

#include "checker/key_orders.hpp"
#include "checker/model.hpp"
#include "checker/order_witness.hpp"
#include "checker/property.hpp"

namespace holdfast {

// The operations that prove something, ordered by their calls.
Searched KeyOrders::by_calls(const Key& key) {
  Searched all = key.answered;
  all.insert(all.end(), key.open.begin(), key.open.end());
  std::erase_if(all, [](const SearchedOperation& o) { return o.invoked_ns == kNever; });
  std::sort(all.begin(), all.end(), [](const SearchedOperation& a, const SearchedOperation& b) {
    return a.invoked_ns != b.invoked_ns ? a.invoked_ns < b.invoked_ns : a.called < b.called;
  });
  return all;
}

void KeyOrders::try_orders(Key& key) {
  if (!key.impossible.empty()) return;
  if (key.lost) {
    key.undecided = true;
    return;
  }
  Searched operations = by_calls(key);
  for (SearchedOperation& o : operations) {
    if (!leased_ && o.lease_ns == kUnknownLease) o.lease_ns = 0;
  }
  for (const SearchedOperation& o : key.may_come) {
    const auto same = [&](const SearchedOperation& other) { return other.invoke_index == o.invoke_index; };
    if (std::none_of(operations.begin(), operations.end(), same)) operations.push_back(o);
  }
  const OrderFound found = find_order(operations, rules(), kMostTried);
  const bool all = key.strays.size() <= kMostStrays;  // there may be others that explain it
  if (found == OrderFound::unknown || (found == OrderFound::impossible && !all)) key.undecided = true;
  if (found == OrderFound::impossible && all) key.impossible = std::move(operations);
}

bool KeyOrders::violated(const std::vector<PropertyVerdict>& verdicts) const {
  return std::any_of(verdicts.begin(), verdicts.end(), [this](const PropertyVerdict& v) {
    return v.judgement == Judgement::violated && decides(v.property, header_.model);
  });
}

bool KeyOrders::try_doubted(const std::vector<PropertyVerdict>& verdicts) {
  if (!active_ || violated(verdicts)) return false;
  for (Key& key : keys_) {
    if (key.doubted || key.releaser) try_orders(key);
  }
  return std::none_of(keys_.begin(), keys_.end(), [](const Key& key) { return key.undecided; });
}

void KeyOrders::settle(const Names& names, std::vector<PropertyVerdict>& verdicts) const {
  if (!active_ || violated(verdicts)) return;
  for (const Key& key : keys_) {
    if (!key.impossible.empty()) return violated_by(names, keys_.id_of(key), verdicts);
  }
  for (const Key& key : keys_) {
    if (!key.undecided) continue;
    for (PropertyVerdict& v : verdicts) {
      if (v.judgement != Judgement::holds || !decides(v.property, header_.model)) continue;
      v.judgement = Judgement::undecided;
      v.reason = "for " + story_.key(keys_.id_of(key)) +
                 ": too many orders of its operations are possible to try whether one explains every answer";
    }
    return;
  }
}

void KeyOrders::violated_by(const Names& names, std::uint32_t key, std::vector<PropertyVerdict>& verdicts) const {
  const Searched piece = smallest_piece(keys_.find(key)->impossible, rules());
  const PieceShows shows = what_it_shows(piece);
  for (PropertyVerdict& v : verdicts) {
    const PropertyType& type = *find_entry(properties(), v.property);
    const bool judges = judged_under(type, header_.model) && decides(type, header_.model);
    const char* kind = judges && type.of_piece ? type.of_piece(shows) : nullptr;
    if (kind == nullptr) continue;
    v.judgement = Judgement::violated;
    v.reason.clear();
    v.kind = kind;
    v.kinds[kind] = 1;
    v.count = 1;
    v.witnesses.push_back(order_witness(story_, names.keys.at(key), key, piece));
    v.witnesses.back().kind = kind;
    return;
  }
}

}  // namespace holdfast
