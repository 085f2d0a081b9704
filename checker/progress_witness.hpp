// The stories of refusals that nothing explains, and of attempts that were kept waiting, in runs of our own.
#pragma once

#include "checker/free_rule.hpp"
#include "checker/stuck_rule.hpp"

namespace holdfast {

Witness free_witness(const PropertyContext& context, const FreeRefusals& refusals);
Witness waiting_witness(const PropertyContext& context, const Stuck& stuck);

}  // namespace holdfast
