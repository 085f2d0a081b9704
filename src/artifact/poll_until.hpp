// Repeats a question every few milliseconds until it is true or the time is over.
//
//   if (!poll_until([&] { return follows(replica); }, kLook_ms, after_ms(20'000))) throw HarnessError("...");
//   const auto proof = poll_until([&] { return fault.proof(); }, 1, [&] { return world.now_ns() >= until_ns; });
//
// The question returns a bool, or an optional or similar, which is returned. The end condition is checked before each
// question, so one question always follows the end of the time: a stall of the machine causes no false "no".
//
// Limits: not for exact sleeps or early wake-ups; use a condition variable where a notification is possible.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

namespace holdfast {

// Too late after this many milliseconds from now, on the steady clock.
inline auto after_ms(std::int64_t ms) {
  return [until = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms)] {
    return std::chrono::steady_clock::now() >= until;
  };
}

// For conditions that surely occur, or end in an exception.
inline constexpr auto kNeverTooLate = [] { return false; };

template <class Ask, class TooLate>
auto poll_until(const Ask& ask, std::int64_t every_ms, const TooLate& too_late) {
  while (true) {
    const bool last = too_late();
    auto answer = ask();
    if (answer || last) return answer;
    std::this_thread::sleep_for(std::chrono::milliseconds(every_ms));
  }
}

}  // namespace holdfast
