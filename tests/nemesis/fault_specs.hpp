// Faults as a scenario has them, for tests: `spec("pause", R"("for_ms": 40)")`.
#pragma once

#include <string>
#include <vector>

#include "artifact/json_text.hpp"
#include "artifact/scenario.hpp"

namespace holdfast {

inline constexpr const char* kAtPhase = R"("at": {"phase": "critical_section"})";
inline constexpr const char* kAtReply = R"("at": {"statement": "acquire", "when": "after"})";

// `more`: further keys as JSON text, beginning with a comma where there are any.
inline FaultSpec fault_spec(const std::string& fault, const std::string& at, const std::string& more = "") {
  const std::string text = R"({"faults": [{"fault": ")" + fault + "\", " + at + more + "}]}";
  const JsonNode root = parse_json_text(text, "x.json");
  ObjectReader in(root);
  return read_faults(in).at(0);
}

}  // namespace holdfast
