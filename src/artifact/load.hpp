// The load of a trial, that is, how clients use the lock: their number, keys, names and timing.
//
//   Load load;
//   read_load_keys(in, load);                    // from a scenario or a plan; both have the same keys
//   lease_ms_of(load, 3), keys_of_client(load, 3), key_name(load, 0)
//
// Lists given "in turn" are assigned cyclically: the first client gets the first entry, and so on. Names of durations
// contain their unit, milliseconds. Defaults are set here.
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

using KeyText = std::optional<std::string>;  // empty: NULL

struct Load {
  std::int64_t clients = 5;
  std::int64_t threads = 1;  // threads per client process: they share one Lock and nothing else
  std::int64_t keys = 1;
  std::vector<KeyText> key_texts;             // names of the keys; empty: k0, k1, ...
  std::vector<std::vector<KeyText>> keys_of;  // per client in turn: the keys it uses; empty: all
  std::int64_t keys_at_once = 1;              // number of keys a client acquires before it works
  std::int64_t lease_ms = 2000;               // the longest
  std::vector<std::int64_t> leases_ms;        // per client in turn; empty: all have lease_ms
  std::vector<std::int64_t> asked_leases_ms;  // leases the scenario requested, if a lock can promise only longer ones
  Range hold_ms{100, 300};
  Range pause_ms{0, 20};      // between a release and the next attempt
  std::int64_t poll_ms = 50;  // between two refused attempts
  bool poll_aligned = false;  // attempts start at multiples of poll_ms, as cron jobs on several hosts do
  std::int64_t duration_ms = 9000;
  std::int64_t progress_bound_ms = 3000;
  std::int64_t tick_ms = 0;              // for locks whose processes ask at a fixed delay; 0: the lock's own
  Range lead_ms;                         // how long a leader that can resign leads; 0: to the end
  std::int64_t silence_ms = 0;           // for a lock without release, after its job; 0: the lease and 2 s
  std::int64_t align_ms = -1;            // the load begins at this millisecond of the wall clock's second; -1: any
  std::int64_t shared_addresses = 0;     // number of clients that share client 0's node and address (0 or 1: none)
  std::string after_info = "abandon";    // abandon | retry | clean_up
  std::string server_id = "per_client";  // per_client | per_node | one: which clients share a client id
  std::string value = "bare";            // bare | with_own_id: values for a lock that prepends its own id
  std::int64_t ask_owned_ms = 0;         // interval of a holder's ownership checks; 0: as the lock's promise requires
  std::int64_t cancel_after_ms = 0;      // acquires are cancelled after waiting this long; 0: never
  bool reenter = false;                  // the job acquires and releases its held lock again
  bool count_requests = false;           // counts the lock's requests even if no fault strikes one
  // Per client in turn: names of owners, and values given to a lock. {uuid} is replaced by a new text for each grant,
  // {grant} by the number of the thread's grant, {client} and {thread} by their numbers. Defaults: a UUID for each
  // grant; the owner.
  std::vector<std::string> owners;
  std::vector<std::string> values;
  // Per client in turn: the mode in which it acquires.
  std::vector<std::string> mode{"exclusive"};  // exclusive | shared
  // Of the clients' programs, in turn: the zone in which they read their own clocks.
  std::vector<std::string> program_zone{"+00:00"};
  // Per client in turn: the time zone of its server sessions.
  std::vector<std::string> time_zone{"+00:00"};
  std::vector<std::string> isolation;         // empty: the lock's own
  std::vector<std::string> reads{"primary"};  // primary | replica: behind a read/write splitter, in topology replica
  // in_turn | server:N: which of several equal servers clients connect to
  std::vector<std::string> connects{"in_turn"};
};

void read_load_keys(ObjectReader& in, Load& load);
nlohmann::json to_json(const Load&);

std::int64_t lease_ms_of(const Load& load, std::uint32_t client);
bool shares(const Load& load, std::uint32_t client);             // its acquires are shared
bool has_readers(const Load& load);                              // the acquires of some clients are shared
std::int64_t zone_s_of(const Load& load, std::uint32_t client);  // of its program: seconds east of UTC
KeyText key_text(const Load& load, std::int64_t key);

// The name in the history: the exact text; <NULL> for NULL (no text has this name).
std::string key_name(const Load& load, std::int64_t key);
std::vector<std::string> key_names(const Load& load);

// Indices of the keys a client uses, in acquiring order.
std::vector<std::uint32_t> keys_of_client(const Load& load, std::uint32_t client);

}  // namespace holdfast
