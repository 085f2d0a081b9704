// A scenario: which locks, how many clients, which faults at which moments, and the verdict that is expected of each
// lock. One file a scenario, one folder a suite; the file's stem is the column's name in the matrix.
//
//   Scenario s = load_scenario("scenarios/quick/pause.json");
//
// Loading checks everything that the file alone can tell, and names file:line. Names of locks and faults, and the
// settings of a fault, are checked against their catalogues by whoever owns those (runner/nemesis).
// Units are in the names; durations are milliseconds. Defaults stand here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "artifact/coverage_minima.hpp"
#include "artifact/json_text.hpp"
#include "artifact/load.hpp"

namespace holdfast {

// The moment at which a fault strikes, or ends: a time, or a point in a client's work.
struct InjectionPoint {
  std::optional<std::int64_t> time_ms;  // since the load began
  std::string phase;                    // see control/phase.hpp
  std::string statement;                // a named statement of the lock
  std::int64_t request = 0;  // the number of a request of the lock in its operation, from 1; 0: no such moment
  bool after = false;  // statement, request: before it is sent, or after it was executed and before its answer is seen
  // Only in this operation of the client's: acquire | renew | release; empty: in any. Of requests also background:
  // those that are sent while no operation is open.
  std::string of;
  std::string key;  // only while another client believes that it holds that key (held), or none does (free)
  std::optional<std::int64_t> client;  // only this client's passing counts
  std::int64_t nth = 1;                // the n-th passing that counts (of all clients together, or of `client`)
};

struct FaultSpec {
  std::string fault;
  // holder | waiter | everyone | client:N; of a fault of servers: server | server:N | server:N,M | leader | follower.
  // Empty, not given: at a time the holder, at a point whoever comes there.
  std::string target;
  InjectionPoint at;
  std::int64_t for_ms = 0;  // 0: until the final phase, in which everything is healed
  std::optional<InjectionPoint>
      until;              // instead: a point; it is healed when a client comes there, which waits for that
  bool optional = false;  // that its moment never comes is no error
  JsonNode settings;      // the whole object; the fault reads its own keys from it
};

// How the lock service's server is set up.
struct ServerSettings {
  std::string topology = "single";  // of those of its kind of server; a key beside `server`
  std::vector<JsonMember> own;      // the keys of `server`, which the kind of server reads itself
};

// The server that a client connects to, from 0, where there are several equals.
std::uint32_t server_of_client(std::uint32_t servers, const Load& load, std::uint32_t client);

// What a lock runs under: the scenario's own settings, or those that differ for it.
struct Settings {
  Load load;
  ServerSettings server;
  CoverageMinima minima;
  std::vector<FaultSpec> faults;
};

// The same plan with the flaw removed, which must hold: then it was the flaw that broke the cell, and nothing else.
struct PairedControl {
  std::string lock;     // empty: the cell's own
  std::string removes;  // in words: "the fault", "the owner that is an address"
  Settings settings;
};

struct Scenario {
  std::string name;  // the file's stem
  std::string suite;
  std::string seed_name;  // from which trials' seeds are derived; empty: from the cell's name, LOCK/NAME
  std::string about;
  std::vector<std::string> locks;  // "insert_lease", "upsert_lease+found_rows"
  Load load;
  ServerSettings server;
  std::vector<FaultSpec> faults;
  CoverageMinima minima;
  std::map<std::string, std::map<std::string, std::string>> expect;  // lock or "*" -> property -> "violated:overrun"
  std::map<std::string, std::string> why;                            // lock or "*" -> reason
  std::map<std::string, Settings> per_lock;                          // of locks that differ from the scenario's own
  std::map<std::string, PairedControl> controls;                     // lock -> its paired control
  JsonNode source;

  // The expectations of one lock: its own entry replaces "*".
  std::map<std::string, std::string> expected_of(const std::string& lock) const;
  std::string why_of(const std::string& lock) const;
  Settings settings_of(const std::string& lock) const;
  const PairedControl* control_of(const std::string& lock) const;  // null: the cell has none
};

// The parts of a scenario that a plan has as well, with the same keys.
void read_coverage(ObjectReader& in, CoverageMinima& minima);
std::vector<FaultSpec> read_faults(ObjectReader& in);
void read_server(ObjectReader& in, ServerSettings& server);

Scenario load_scenario(const InputFile& file);

// One that was read, and perhaps changed, before; `path` gives it its name and its suite.
Scenario read_scenario(JsonNode source, const std::string& path);

// Every *.json of a folder, by name; of a folder that has none, those of its folders; or the one file. Throws BadInput
// when there is none.
std::vector<Scenario> load_suite(const std::string& path);

}  // namespace holdfast
