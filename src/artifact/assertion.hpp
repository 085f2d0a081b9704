// Assertions of a lock's author, as in property-based testing: `always` must be true whenever it is evaluated,
// `sometimes` at least once, and a place that is `reached` at least once. An assertion that a whole run never reached
// was not tested, so it is never a pass.
//
//   assertion_text(AssertionKind::sometimes, "a retry")   // sometimes "a retry"
//   name_error("")                                        // "expected 1 to 100 bytes"
//
// A verdict has the counts of their evaluations (artifact/verdict.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

enum class AssertionKind : std::uint8_t { always, sometimes, reached };
const char* to_text(AssertionKind);
bool from_text(std::string_view word, AssertionKind& out);
std::vector<std::string> assertion_kinds();

inline constexpr std::size_t kMostAssertions = 100;       // names of one lock
inline constexpr std::size_t kLongestAssertion = 100;     // bytes of a name
inline constexpr std::size_t kLongestAssertionWhy = 500;  // bytes; longer texts are cut
inline constexpr std::int64_t kMostEvaluations = std::int64_t{1} << 53U;

// Explains what is wrong with a name; empty: nothing.
std::string name_error(std::string_view name);

struct AssertionName {
  AssertionKind kind = AssertionKind::always;
  std::string name;
  bool operator==(const AssertionName&) const = default;
};

// `sometimes "a request was retried"`
std::string assertion_text(AssertionKind kind, std::string_view name);

// Sum of two counts, bounded.
std::int64_t more_evaluations(std::int64_t before, std::int64_t more);

}  // namespace holdfast
