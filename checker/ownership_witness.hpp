// What property ownership shows of a release or renewal that took effect on what was another's.
#pragma once

#include <vector>

#include "checker/property.hpp"
#include "checker/suspect.hpp"

namespace holdfast {

// While `hold` was being let go, in vain.
Witness resumed_witness(const PropertyContext& context, const Hold& hold, const Suspect& suspect);

// `acted`: the time in which it took effect. `before`: indices of what an operation without a hold refers to.
Witness foreign_witness(const PropertyContext& context, const Event& event, const Operation& operation,
                        const Hold& holder, const Window& acted, const std::vector<std::uint64_t>& before);

}  // namespace holdfast
