#include "client/claim_names.hpp"

#include <string_view>
#include <vector>

#include "artifact/capacity.hpp"
#include "control/control_page.hpp"

namespace holdfast {
namespace {

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

const std::string* own_word(std::uint32_t client, const std::vector<std::string>& words) {
  return words.empty() ? nullptr : &words[client % words.size()];
}

}  // namespace

ClaimNames::ClaimNames(const Load& load, std::uint32_t client, std::uint32_t thread,
                       std::atomic<std::uint32_t>& identities, std::mt19937_64& random)
    : load_(load), client_(client), thread_(thread), identities_(identities), random_(random) {
  new_identity();
}

// The client's number plus a multiple of a stride: unique in a trial.
void ClaimNames::new_identity() {
  identity_ = client_ + static_cast<std::uint32_t>(kClientSlots) * identities_++;
}

// Draws a value in UUID form: unique in the trial, equal in each repetition of the plan. Each grant has its own owner,
// so a late release of an earlier grant cannot free a later one of the same client.
void ClaimNames::new_owner() {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  ++owners_;
  uuid_.assign(36, '-');
  for (std::size_t i = 0; i < uuid_.size(); ++i) {
    if (i != 8 && i != 13 && i != 18 && i != 23) uuid_[i] = kDigits[random_() % 16];
  }
}

// Replaces the placeholders in a scenario's text with values unique to the grant.
std::string ClaimNames::filled(const std::string& text) const {
  std::string out = text;
  replace_all(out, "{uuid}", uuid_);
  replace_all(out, "{grant}", std::to_string(owners_));
  replace_all(out, "{client}", std::to_string(client_));
  replace_all(out, "{thread}", std::to_string(thread_));
  return out;
}

// Ends the id with a colon, so that no id is a prefix of another.
void ClaimNames::name(Claim& claim, const std::string& address) const {
  const std::string* const own_owner = own_word(client_, load_.owners);
  claim.owner = own_owner != nullptr ? filled(*own_owner) : uuid_;
  const std::string& shared = load_.server_id;
  claim.server_id = shared == "one"        ? "server:"
                    : shared == "per_node" ? address + ":"
                                           : "c" + std::to_string(client_) + ":";
  const std::string* const own_value = own_word(client_, load_.values);
  const std::string value = own_value != nullptr ? filled(*own_value) : claim.owner;
  claim.value = load_.value == "with_own_id" ? claim.server_id + value : value;
}

}  // namespace holdfast
