// Injection points in a client's work, besides the points before and after a named statement.
//
// `critical_section` is after the lock's last check of its own deadline and before the write: the only place where a
// client cannot protect itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artifact/enumeration.hpp"

namespace holdfast {

enum class Phase : std::uint8_t {
  before_acquire,
  granted,           // the grant is in the journal, before it is used
  critical_section,  // all waits and checks are done; the write is not yet sent
  before_renew,
  before_release,
  refused,  // an attempt was refused; the client is about to wait
};

// The lock operation that a client is in.
enum class Asking : std::uint8_t { nothing, acquire, renew, release };

// Returns the operation of which the phase is a part, in the words of a scenario; empty: none.
inline std::string operation_of(Phase phase) {
  return EnumWords<Phase>({"acquire", "acquire", "", "renew", "release", "acquire"})[phase];
}

inline Asking asking_from_text(const std::string& word) {
  if (word == "acquire") return Asking::acquire;
  if (word == "renew") return Asking::renew;
  return word == "release" ? Asking::release : Asking::nothing;
}

inline constexpr EnumWords<Phase> kPhases({"before_acquire", "granted", "critical_section", "before_renew",
                                           "before_release", "refused"});

inline std::vector<std::string> phase_names() {
  return {kPhases.begin(), kPhases.end()};
}

inline std::optional<Phase> phase_from_text(const std::string& word) {
  Phase out{};
  return kPhases.read(word, out) ? std::optional(out) : std::nullopt;
}

}  // namespace holdfast
