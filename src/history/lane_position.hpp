// The position of an event in one of several logs, as one number: the log's index in the higher bits, its line below.
#pragma once

#include <cstddef>
#include <cstdint>

namespace holdfast {

inline constexpr unsigned kLaneLineBits = 44;

inline std::uint64_t lane_position(std::size_t lane, std::uint64_t line) {
  return std::uint64_t{lane} << kLaneLineBits | line;
}
inline std::size_t lane_of(std::uint64_t position) {
  return position >> kLaneLineBits;
}
inline std::uint64_t lane_line(std::uint64_t position) {
  return position & ((std::uint64_t{1} << kLaneLineBits) - 1);
}

}  // namespace holdfast
