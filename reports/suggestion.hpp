// What may be behind a violation, by its property and kind. A suggestion, never a finding: reports mark it so.
#pragma once

#include <string>

namespace holdfast {

// Whole sentences; empty when nothing is known about the kind.
std::string suggested_cause(const std::string& property, const std::string& kind);

}  // namespace holdfast
