// Asks again, every few milliseconds, until it is so or it is too late.
//
//   if (!poll_until([&] { return follows(replica); }, kLook_ms, after_ms(20'000))) throw HarnessError("...");
//   const auto proof = poll_until([&] { return fault.proof(); }, 1, [&] { return world.now_ns() >= until_ns; });
//
// What is asked answers true, or something that counts as true (an optional with a value), which is handed back. What
// says that it is too late is asked before each question: so there is always one question after the time is up, and a
// machine that stood still meanwhile makes no false "no".
//
// What it does not do: sleep for an exact time, or wake early; who can be told waits on a condition variable.
#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

namespace holdfast {

// Too late so many milliseconds from now, by the steady clock.
inline auto after_ms(std::int64_t ms) {
  return [until = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms)] {
    return std::chrono::steady_clock::now() >= until;
  };
}

// For what ends in an exception, or comes for certain.
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
