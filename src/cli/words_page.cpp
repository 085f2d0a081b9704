#include "cli/words_page.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "checker/property.hpp"
#include "nemesis/fault.hpp"
#include "suite/check_kinds.hpp"

namespace holdfast {
namespace {

const std::map<std::string, std::string>& own_kinds() {
  static const std::map<std::string, std::string> kOwn{
      {"algorithm",
       "no fault that struck somebody who had a part in it, or the server, explains it: the lock's statements "
       "do it by themselves"},
      {"overrun", "the earlier holder's lease had run out, and it acted on"},
      {"late_grant", "a grant was answered after the lease that it promises had run out"},
      {"late_write", "a write that was sent inside its grant took effect after it"},
      {"stale_write", "the resource accepted a token that is smaller than one it had seen"},
      {"foreign_release", "a release freed what another held"},
      {"foreign_renew", "a renewal prolonged what another held"},
      {"lost_lock", "a holder was told inside its lease that the lock is not its own"},
      {"release_without_grant", "a release succeeded of what had not been granted"},
      {"granted_twice", "an owner was granted what it held already"},
      {"server_lost_state",
       "the server had forgotten what it acknowledged: it was killed and began again, or a replica was promoted in "
       "its place"},
      {"session_lost",
       "the server ended a session in which the lock lived, by `connection_kill` or with `server_kill`"},
      {"stuck", "nobody is granted a key whose leases are over"},
      {"refused_free", "a key that nobody held or was asking for was refused as busy"},
      {"refused_while_free", "in a history of anybody's: a refusal that nobody's hold can explain"},
  };
  return kOwn;
}

// Of the faults that give it as the cause.
std::string fault_meaning(const std::string& kind) {
  std::string names;
  for (const auto& [name, type] : faults()) {
    if (kind == type->cause) names += fmt::format("{}`{}`", names.empty() ? "" : " or ", name);
  }
  return names.empty() ? "" : "the fault " + names + " struck somebody who had a part in it, or the server";
}

std::string kind_meaning(const std::string& kind) {
  const auto own = own_kinds().find(kind);
  return own != own_kinds().end() ? own->second : fault_meaning(kind);
}

// Of all properties that a lock may promise, each once.
std::vector<std::string> promisable_kinds() {
  std::set<std::string> out;
  for (const auto& property : promisable_properties()) {
    for (const auto& kind : known_kinds(property)) out.insert(kind);
  }
  return {out.begin(), out.end()};
}

}  // namespace

std::string words_section() {
  std::string out = "## The words\n\nWhat a lock may promise (its *properties*):\n\n";
  for (const auto& name : promisable_properties()) {
    out += fmt::format("- `{}`: {}\n", name, find_entry(properties(), name)->summary);
  }
  out += "\nIn which way a property was violated (its *kind*):\n\n";
  for (const auto& kind : promisable_kinds()) out += fmt::format("- `{}`: {}\n", kind, kind_meaning(kind));
  return out + "\n";
}

}  // namespace holdfast
