// Wilson's interval of a share: k of n trials, with 95 % confidence. Other than the usual approximation, it is valid
// for few trials and for none or all of them: 0 of 20 gives 0 to 16 %.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace holdfast {

struct ShareInterval {
  double low = 0;
  double high = 1;
};

// `n` must be positive.
inline ShareInterval wilson(std::int64_t k, std::int64_t n) {
  constexpr double kZ = 1.959963984540054;  // 97.5th percentile of the normal distribution
  const auto trials = static_cast<double>(n);
  const double share = static_cast<double>(k) / trials;
  const double middle = share + kZ * kZ / (2 * trials);
  const double half = kZ * std::sqrt(share * (1 - share) / trials + kZ * kZ / (4 * trials * trials));
  const double scale = 1 + kZ * kZ / trials;
  return {k == 0 ? 0 : std::max(0.0, (middle - half) / scale), k == n ? 1 : std::min(1.0, (middle + half) / scale)};
}

}  // namespace holdfast
