#include "reports/durations.hpp"

#include <fmt/format.h>

#include <cmath>

namespace holdfast {

std::string moment_text(std::int64_t time_ns) {
  return fmt::format("{:.3f} s", static_cast<double>(time_ns) / 1e9);
}

std::string length_text(std::int64_t length_ns) {
  const double ms = static_cast<double>(length_ns) / 1e6;
  if (ms >= 10'000) return fmt::format("{:.1f} s", ms / 1000);
  if (ms >= 9.995) return count_text(std::llround(ms)) + " ms";
  if (ms > 0 && ms < 0.005) return "below 0.01 ms";
  return fmt::format("{:.2f} ms", ms);
}

std::string wall_text(double seconds) {
  if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = std::llround(seconds);
  if (whole < 3600) return fmt::format("{} m {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} m", whole / 3600, whole % 3600 / 60);
}

std::string count_text(std::int64_t count) {
  const std::string digits = std::to_string(count);
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const bool between = i > 0 && digits[i - 1] != '-' && (digits.size() - i) % 3 == 0;
    if (between) out += ',';
    out += digits[i];
  }
  return out;
}

std::string plural(std::int64_t count, const std::string& one, const std::string& many) {
  return count_text(count) + " " + (count == 1 ? one : many);
}

}  // namespace holdfast
