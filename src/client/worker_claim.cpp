// What a worker calls itself, and what it shows of what it believes.
#include <algorithm>

#include "client/worker.hpp"

namespace holdfast {
namespace {

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

const std::string* turn_of(std::uint32_t client, const std::vector<std::string>& words) {
  return words.empty() ? nullptr : &words[client % words.size()];
}

}  // namespace

// The number of the client's own, and a multiple of a stride: no two of a trial are equal.
void Worker::new_identity() {
  process_ = self_.client + static_cast<std::uint32_t>(kClientSlots) * team_.identities++;
}

// A UUID in form: unique in the trial, the same in each repetition of the plan. Every grant has an owner of its own, as
// the documents have it: a release that arrives late, of an earlier grant, then cannot free a later one of the same
// client.
void Worker::new_owner() {
  static constexpr char kDigits[] = "0123456789abcdef";
  ++owners_;
  uuid_.assign(36, '-');
  for (std::size_t i = 0; i < uuid_.size(); ++i) {
    if (i != 8 && i != 13 && i != 18 && i != 23) uuid_[i] = kDigits[random_() % 16];
  }
}

// A text of the scenario's, with what is unique to the grant in its places.
std::string Worker::filled(const std::string& text) const {
  std::string out = text;
  replace_all(out, "{uuid}", uuid_);
  replace_all(out, "{grant}", std::to_string(owners_));
  replace_all(out, "{client}", std::to_string(self_.client));
  replace_all(out, "{thread}", std::to_string(self_.thread));
  return out;
}

// What a claim calls itself. An id that ends in a colon is never part of another's.
void Worker::name(Claim& claim) const {
  const std::string* const own_owner = turn_of(self_.client, load_.owners);
  claim.owner = own_owner != nullptr ? filled(*own_owner) : uuid_;
  const std::string& shared = load_.server_id;
  claim.server_id = shared == "one"        ? "server:"
                    : shared == "per_node" ? session_.address() + ":"
                                           : "c" + std::to_string(self_.client) + ":";
  const std::string* const own_value = turn_of(self_.client, load_.values);
  const std::string value = own_value != nullptr ? filled(*own_value) : claim.owner;
  claim.value = load_.value == "with_own_id" ? claim.server_id + value : value;
}

Key Worker::lock_key(std::int64_t key) const {
  const KeyText text = key_text(load_, key);
  return text ? Key(team_.key_prefix + *text) : Key::null();
}

// Said to whoever waits for a client at its next point: with which key it is busy, and what it believes.
void Worker::about(const Grant& grant) {
  Standing& standing = session_.standing();
  standing.key = static_cast<std::int32_t>(grant.key);
  standing.believes = !believed_.empty();
  standing.believes_this = std::find(believed_.begin(), believed_.end(), grant.key) != believed_.end();
}

// From the answer until its release was answered, or it left without one.
void Worker::begin_belief(const Grant& grant) {
  slot_.holding.fetch_add(1);
  slot_.believes.at(grant.key).fetch_add(1);
  believed_.push_back(grant.key);
  about(grant);
}

void Worker::end_belief(const Grant& grant) {
  std::erase(believed_, grant.key);
  about(grant);
  slot_.believes.at(grant.key).fetch_sub(1);
  slot_.holding.fetch_sub(1);
}

void Worker::waits(bool yes) {
  bool& shown = session_.standing().waits;
  if (shown != yes) slot_.waiting.fetch_add(yes ? 1 : -1);
  shown = yes;
}

}  // namespace holdfast
