// What is explored: a lock, how its simulated clients use it, and how time begins. The load is that of the client
// processes (driver/load_loop.hpp), without its lengths of time: time passes only where the scheduler says so.
#pragma once

#include <cstdint>
#include <string>

#include "artifact/units.hpp"
#include "explore/world.hpp"

namespace holdfast {

struct ExploreSettings {
  std::string lock;  // "upsert_lease+found_rows"
  std::uint32_t clients = 2;
  int rounds = 2;    // of each client: acquire, work, release or leave
  int attempts = 2;  // refusals after which a client gives up its round
  std::int64_t lease_ms = 2000;
  std::int64_t fraction_ms = 400;        // of the second at which the schedule begins
  std::string server_id = "per_client";  // per_client | one
  std::string value = "bare";            // bare | with_own_id
  bool shared_address = false;
  bool reenter = false;
  bool fine = false;  // a reply's arrival is a step of its own

  static const JsonForm<ExploreSettings>& form();
};

inline constexpr std::uint32_t kExploredServers = 5;  // of a lock that asks several: as a trial has
inline constexpr std::int64_t kNever_us = INT64_MAX;
inline constexpr std::int64_t kNoon_us = 1'893'499'200 * kSecond_us;  // 2030-01-01 12:00:00

}  // namespace holdfast
