#include "checker/order_witness.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::size_t kStatesOfAPiece = 20'000;
constexpr std::size_t kMostPieces = 2'000;  // most pieces tried; a witness that would take more stays larger

bool impossible(const Searched& operations, const LockRules& rules) {
  return find_order(operations, rules, kStatesOfAPiece) == OrderFound::impossible;
}

// The operations as called and answered by a moment.
Searched up_to(const Searched& all, std::int64_t time_ns) {
  Searched some;
  for (SearchedOperation o : all) {
    if (o.invoked_ns > time_ns) continue;
    if (o.answered_ns > time_ns) {
      if (o.said == EventType::fail) continue;
      o.said = EventType::info;
      o.answered_ns = kNever;
    }
    some.push_back(o);
  }
  return some;
}

// The operations of the shortest beginning that is impossible, whole ones.
Searched shortest_beginning(const Searched& all, const LockRules& rules) {
  std::vector<std::int64_t> answers;
  for (const SearchedOperation& o : all) {
    if (o.must()) answers.push_back(o.answered_ns);
  }
  std::sort(answers.begin(), answers.end());
  std::size_t from = 0;
  std::size_t to = answers.empty() ? 0 : answers.size() - 1;
  while (from < to) {
    const std::size_t middle = (from + to) / 2;
    impossible(up_to(all, answers[middle]), rules) ? void(to = middle) : void(from = middle + 1);
  }
  if (answers.empty()) return all;
  Searched whole;
  for (const SearchedOperation& o : all) {
    if (o.invoked_ns <= answers[to]) whole.push_back(o);
  }
  return impossible(whole, rules) ? whole : all;
}

bool begins_a_hold(const SearchedOperation& o) {
  return o.op == Op::acquire && o.said != EventType::fail;
}

// Without a refusal, or without a hold: an acquire and what its process did until its next one.
Searched without(const Searched& operations, std::size_t which) {
  const SearchedOperation& first = operations[which];
  Searched rest;
  bool inside = false;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const SearchedOperation& o = operations[i];
    if (o.process == first.process && begins_a_hold(o)) inside = i == which;
    const bool left_out = begins_a_hold(first) ? inside && o.process == first.process && !o.refusal() : i == which;
    if (!left_out) rest.push_back(o);
  }
  return rest;
}

bool may_be_left_out(const Searched& operations, std::size_t which) {
  const SearchedOperation& o = operations[which];
  if (o.op == Op::acquire || o.said == EventType::fail) return true;
  if (o.op == Op::renew) return true;
  // A release that belongs to no acquire of the piece.
  return std::none_of(operations.begin(), operations.begin() + static_cast<std::ptrdiff_t>(which),
                      [&](const auto& other) { return other.process == o.process && begins_a_hold(other); });
}

// The operations from a place on, without the holds that began before it.
Searched from_place(const Searched& operations, std::size_t place) {
  Searched some;
  for (std::size_t i = place; i < operations.size(); ++i) {
    const SearchedOperation& o = operations[i];
    const bool begun = o.op == Op::acquire || std::any_of(some.begin(), some.end(), [&](const auto& other) {
                         return other.process == o.process && begins_a_hold(other);
                       });
    if (begun) some.push_back(o);
  }
  return some;
}

// The shortest end that is impossible, as far as halving finds it.
Searched shortest_end(const Searched& operations, const LockRules& rules) {
  std::size_t from = 0;
  for (std::size_t step = operations.size() / 2; step > 0; step /= 2) {
    if (from + step < operations.size() && impossible(from_place(operations, from + step), rules)) from += step;
  }
  return from == 0 ? operations : from_place(operations, from);
}

const char* did(const SearchedOperation& o) {
  const bool ok = o.said == EventType::ok;
  const bool unknown = o.said == EventType::info;
  if (o.op == Op::acquire) return ok ? "was granted" : unknown ? "asked, without an answer, for" : "was refused";
  if (o.op == Op::renew) return ok ? "renewed" : "renewed, and was answered that it does not hold";
  return ok ? "released" : unknown ? "may have released" : "released, and was answered that it does not hold";
}

}  // namespace

Searched smallest_piece(Searched operations, const LockRules& rules) {
  std::stable_sort(operations.begin(), operations.end(),
                   [](const auto& a, const auto& b) { return a.invoked_ns < b.invoked_ns; });
  operations = shortest_end(shortest_beginning(operations, rules), rules);
  std::size_t tried = 0;
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t i = operations.size(); i-- > 0;) {
      if (i >= operations.size() || !may_be_left_out(operations, i)) continue;
      if (++tried > kMostPieces) return operations;
      Searched rest = without(operations, i);
      if (!impossible(rest, rules)) continue;
      operations = std::move(rest);
      smaller = true;
    }
  }
  return operations;
}

PieceShows what_it_shows(const Searched& piece) {
  const auto any = [&](const auto& is) { return std::any_of(piece.begin(), piece.end(), is); };
  if (any([](const auto& o) { return o.refusal(); })) return PieceShows::refusal;
  if (any([](const auto& o) { return o.said == EventType::fail; })) return PieceShows::loss;
  if (any([&](const auto& o) { return o.process != piece.front().process; })) return PieceShows::holders;
  return std::count_if(piece.begin(), piece.end(), begins_a_hold) > 1 ? PieceShows::second_grant
                                                                      : PieceShows::nothing_to_give;
}

Witness order_witness(const Story& story, const std::string& key_name, std::uint32_t key, const Searched& piece) {
  Witness w;
  w.key = key_name;
  for (const SearchedOperation& o : piece) {
    w.clients.push_back(o.client);
    w.indices.insert(w.indices.end(), {o.invoke_index, o.index});
    const std::string to = o.answered_ns == kNever ? "" : " to " + story.at(o.answered_ns);
    const bool leased = o.lease_ns > 0 && o.op != Op::release && !o.refusal();
    w.text += fmt::format("{} {} {} (from {}{}, #{}{}). ", story.subject(o.process, o.client), did(o), story.key(key),
                          story.at(o.invoked_ns), to, o.index, leased ? ", for " + story.lasting(o.lease_ns) : "");
    if (o.answered_ns != kNever) w.to_ns = std::max(w.to_ns, o.answered_ns);
  }
  w.from_ns = w.to_ns;
  std::sort(w.indices.begin(), w.indices.end());
  w.indices.erase(std::unique(w.indices.begin(), w.indices.end()), w.indices.end());
  const bool refusals = std::any_of(piece.begin(), piece.end(), [](const auto& o) { return o.refusal(); });
  w.text += refusals ? "No order of these operations explains every refusal: the lock was free at one of them."
                     : "No order of these operations explains every answer.";
  return w;
}

}  // namespace holdfast
