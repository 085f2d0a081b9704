// The points in a client's work at which a fault can strike, besides before and after a named statement.
//
// That of the critical section lies after the lock's last look at its own deadline and before the write: the one place
// where no client can protect itself.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "artifact/enumeration.hpp"

namespace holdfast {

enum class Phase : std::uint8_t {
  before_acquire,
  granted,           // the grant is in the journal, nothing was done with it yet
  critical_section,  // all waiting is over, the last own check is made, the write is not yet sent
  before_renew,
  before_release,
  refused,  // an attempt was refused; the client is about to wait
};

// What a client asks of its lock just now.
enum class Asking : std::uint8_t { nothing, acquire, renew, release };

// Of what a phase is a part, in those words of a scenario; empty: of none.
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
