// Settings of an exploration: a lock, the load of its simulated clients, and the initial time. The load is that of the
// client processes (driver/load_loop.hpp) without durations: time passes only by the scheduler's words.
#pragma once

#include <cstdint>
#include <string>

#include "artifact/units.hpp"
#include "explore/world.hpp"

namespace holdfast {

struct ExploreSettings {
  std::string lock;  // "upsert_lease+found_rows"
  std::uint32_t clients = 2;
  int rounds = 2;    // per client: acquire, work, release or leave
  int attempts = 2;  // refusals after which a client ends its round
  std::int64_t lease_ms = 2000;
  std::int64_t fraction_ms = 400;        // position in the wall clock's second at the start
  std::string server_id = "per_client";  // per_client | one
  std::string value = "bare";            // bare | with_own_id
  bool shared_address = false;
  bool reenter = false;
  bool fine = false;  // a reply's arrival is a step of its own

  static const JsonForm<ExploreSettings>& form();
};

inline constexpr std::uint32_t kExploredServers = 5;  // for a lock that uses several servers; as in a trial
inline constexpr std::int64_t kNever_us = INT64_MAX;
inline constexpr std::int64_t kNoon_us = 1'893'499'200 * kSecond_us;  // 2030-01-01 12:00:00

}  // namespace holdfast
