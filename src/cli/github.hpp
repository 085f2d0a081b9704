// What GitHub Actions is given where it is who runs us: the summary of the job, and annotations.
#pragma once

#include <string>
#include <string_view>

#include "reports/format.hpp"

namespace holdfast {

// Appends the summary to the file that GITHUB_STEP_SUMMARY names, and prints the annotations on standard error where
// GITHUB_ACTIONS is set. A summary that cannot be written is told, and changes no verdict.
void tell_github(const FormatInput& in);

// What is to be printed, with no line in it that GitHub Actions would take for a command; unchanged elsewhere.
std::string for_github(std::string_view text);

}  // namespace holdfast
