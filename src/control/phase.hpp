// The points in a client's work at which a fault can strike, besides before and after a named statement.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

enum class Phase : std::uint8_t {
  before_acquire,
  granted,           // the grant is in the journal, nothing was done with it yet
  critical_section,  // all waiting is over, the last own check is made, the write is not yet sent
  before_renew,
  before_release,
  refused,  // an attempt was refused; the client is about to wait
};

inline std::vector<std::string> phase_names() {
  return {"before_acquire", "granted", "critical_section", "before_renew", "before_release", "refused"};
}

inline std::optional<Phase> phase_from_text(const std::string& word) {
  const auto names = phase_names();
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == word) return static_cast<Phase>(i);
  }
  return std::nullopt;
}

}  // namespace holdfast
