// How long a probe of the lab's waits for an answer.
#pragma once

#include "lab/network.hpp"
#include "lab/readiness_probe.hpp"

namespace holdfast {

inline constexpr int kProbe_ms = 250;

}  // namespace holdfast
