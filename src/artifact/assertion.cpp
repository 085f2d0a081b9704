#include "artifact/assertion.hpp"

#include <algorithm>

#include "artifact/enumeration.hpp"
#include "artifact/visible.hpp"

namespace holdfast {
namespace {

constexpr EnumWords<AssertionKind> kAssertionKinds({"always", "sometimes", "reached"});

bool is_control_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

}  // namespace

const char* to_text(AssertionKind kind) {
  return kAssertionKinds[kind];
}

bool from_text(std::string_view word, AssertionKind& out) {
  return kAssertionKinds.read(word, out);
}

std::vector<std::string> assertion_kinds() {
  return {kAssertionKinds.begin(), kAssertionKinds.end()};
}

std::string name_error(std::string_view name) {
  if (name.empty() || name.size() > kLongestAssertion)
    return "expected 1 to " + std::to_string(kLongestAssertion) + " bytes";
  if (std::any_of(name.begin(), name.end(), is_control_byte)) return "expected one line without control characters";
  return valid_utf8(name) == name ? "" : "expected UTF-8";
}

std::string assertion_text(AssertionKind kind, std::string_view name) {
  return std::string(to_text(kind)) + " \"" + std::string(name) + "\"";
}

std::int64_t more_evaluations(std::int64_t before, std::int64_t more) {
  return std::min(kMostEvaluations, before + std::min(more, kMostEvaluations - before));
}

}  // namespace holdfast
