// What a target, a server of the user's own, cannot give to a trial. Such a cell is unavailable, and says why.
#pragma once

#include <string>

#include "artifact/plan.hpp"
#include "servers/target.hpp"

namespace holdfast {

// Empty: the plan can be carried out there.
std::string not_on_target(const Plan& plan, const Target& target);

}  // namespace holdfast
