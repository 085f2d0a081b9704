// GitHub Actions reads commands from what a step prints: "::error title=x::text" becomes an annotation. So whatever is
// printed there must not hold one that we did not mean.
//
//   workflow_command("error", "a, b", "50 %\n")  -> "::error title=a%2C b::50 %25%0A"
//   without_commands("  ::set-env name=x::y")    -> "  : :set-env name=x::y"
#pragma once

#include <string>
#include <string_view>

namespace holdfast {

std::string workflow_command(std::string_view name, std::string_view title, std::string_view message);

// The text with no line in it that the runner would take for a command, in either of the spellings that it knows.
std::string without_commands(std::string_view text);

}  // namespace holdfast
