// How a trial's clients use the lock: how many, which keys, what they call themselves, how long all takes.
//
//   Load load;
//   read_load_keys(in, load);                    // of a scenario, or of a plan, which has the same keys
//   lease_ms_of(load, 3), keys_of_client(load, 3), key_name(load, 0)
//
// What is given out "in turn": the first client has the first of the list, and so on, and from the first again.
// Units are in the names; durations are milliseconds. Defaults stand here.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "artifact/json_text.hpp"

namespace holdfast {

struct Range {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

using KeyText = std::optional<std::string>;  // NULL is nothing

struct Load {
  std::int64_t clients = 5;
  std::int64_t threads = 1;  // of each client process: they share one Lock, and nothing else
  std::int64_t keys = 1;
  std::vector<KeyText> key_texts;             // of the keys; empty: k0, k1, ...
  std::vector<std::vector<KeyText>> keys_of;  // of the clients in turn: the keys that it uses; empty: all
  std::int64_t keys_at_once = 1;              // that a client acquires before it works
  std::int64_t lease_ms = 2000;               // the longest
  std::vector<std::int64_t> leases_ms;        // of the clients in turn; empty: all have lease_ms
  std::vector<std::int64_t> asked_leases_ms;  // what the scenario asked for, where a lock can promise only more
  Range hold_ms{100, 300};
  Range pause_ms{0, 20};      // between a release and the next attempt
  std::int64_t poll_ms = 50;  // between two refused attempts
  bool poll_aligned = false;  // attempts start at multiples of poll_ms, as cron jobs on several hosts do
  std::int64_t duration_ms = 9000;
  std::int64_t progress_bound_ms = 3000;
  std::int64_t tick_ms = 0;              // of a lock whose processes ask at a fixed delay; 0: the lock's own
  Range lead_ms;                         // how long a leader leads that can resign; 0: to the end
  std::int64_t silence_ms = 0;           // of a lock without release, after its job; 0: the lease and 2 s
  std::int64_t align_ms = -1;            // the load begins at this fraction of the wall clock's second; -1: anywhere
  std::int64_t shared_addresses = 0;     // this many clients share client 0's node and address (0 or 1: none)
  std::string after_info = "abandon";    // abandon | retry | clean_up
  std::string server_id = "per_client";  // per_client | per_node | one: how far a client's own id is shared
  std::string value = "bare";            // bare | with_own_id: what callers give a lock that puts its own id before it
  std::int64_t ask_owned_ms = 0;         // a holder asks so often whether it holds; 0: as the lock's promise needs it
  std::int64_t cancel_after_ms = 0;      // an acquire that has waited for so long is cancelled; 0: never
  bool reenter = false;                  // the job acquires and releases again what it holds
  bool count_requests = false;           // the lock's requests are counted, though no fault strikes one
  // Of the clients in turn: what they call themselves, and what they give a lock as a value. {uuid} in it is another
  // text for each grant, {grant} counts the thread's grants, {client} and {thread} are their numbers. Empty: a
  // UUID each grant; the owner.
  std::vector<std::string> owners;
  std::vector<std::string> values;
  // Of the clients, in turn: whether they ask for a lock that readers share, or for all of it.
  std::vector<std::string> mode{"exclusive"};  // exclusive | shared
  // Of the clients' programs, in turn: the zone in which they read their own clocks.
  std::vector<std::string> program_zone{"+00:00"};
  // Of the clients' sessions, in turn.
  std::vector<std::string> time_zone{"+00:00"};
  std::vector<std::string> isolation;            // empty: the lock's own
  std::vector<std::string> reads{"primary"};     // primary | replica: behind a read/write splitter, in topology replica
  std::vector<std::string> connects{"in_turn"};  // in_turn | server:N: to which server, where there are several equals
};

void read_load_keys(ObjectReader& in, Load& load);
nlohmann::json to_json(const Load&);

std::int64_t lease_ms_of(const Load& load, std::uint32_t client);
bool shares(const Load& load, std::uint32_t client);             // its acquires are shared
std::int64_t zone_s_of(const Load& load, std::uint32_t client);  // of its program: seconds east of UTC
KeyText key_text(const Load& load, std::int64_t key);

// The name in the history: the text, exactly; <NULL> of NULL (no text beside it is called so).
std::string key_name(const Load& load, std::int64_t key);
std::vector<std::string> key_names(const Load& load);

// The numbers of the keys that a client uses, in the order in which it takes them.
std::vector<std::uint32_t> keys_of_client(const Load& load, std::uint32_t client);

}  // namespace holdfast
