// A scenario: the locks, clients, faults with their injection points, and the expected verdict of each lock. Each
// scenario is a file, each suite a folder; the file's stem is the column's name in the matrix.
//
//   Scenario s = load_scenario("scenarios/quick/pause.json");
//
// Loading checks everything that needs only the file, and errors name file:line. suite/check_names.hpp checks the names
// of locks and faults and the faults' own settings. Names of durations contain their unit, milliseconds. Defaults are
// set here.
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

// Injection point: when a fault strikes, or ends. A time, or a point in a client's work.
struct InjectionPoint {
  std::optional<std::int64_t> time_ms;  // since the load began
  std::string phase;                    // see control/phase.hpp
  std::string statement;                // a named statement of the lock
  std::int64_t request = 0;             // number from 1 of a request in its lock operation; 0: not a request
  // for statements and requests: before it is sent, or after it was executed and before its answer is seen
  bool after = false;
  // Restricts the point to one operation of the client: acquire | renew | release; empty: any. For requests also
  // background: requests sent while no operation is open.
  std::string of;
  std::string key;  // held: only while another client believes it holds the key; free: only while none does
  std::optional<std::int64_t> client;  // restricts the point to this client
  std::int64_t nth = 1;                // strikes at the nth match (of all clients together, or of `client`)
};

struct FaultSpec {
  std::string fault;
  // holder | waiter | everyone | client:N; for faults of servers: server | server:N | server:N,M | leader | follower.
  // Empty: not given: the holder at a time, the arriving client at a point.
  std::string target;
  InjectionPoint at;
  std::int64_t for_ms = 0;  // 0: until the final phase, in which all faults are healed
  std::optional<InjectionPoint>
      until;  // instead of a duration: the fault is healed when a client reaches this point; the client waits meanwhile
  bool optional = false;  // it is not an error if its point is never reached
  JsonNode settings;      // the whole object; the fault reads its own keys from it
};

// Setup of the lock service's server.
struct ServerSettings {
  std::string topology = "single";  // one of the topologies of its kind; the key beside `server`
  std::vector<JsonMember> own;      // keys of `server`, read by the kind of server itself
};

// Returns the index of the server to which a client connects, if there are several equal ones.
std::uint32_t server_of_client(std::uint32_t servers, const Load& load, std::uint32_t client);

// Settings for a lock: the scenario's own, or those for this lock.
struct Settings {
  Load load;
  ServerSettings server;
  CoverageMinima minima;
  std::vector<FaultSpec> faults;
};

// The same plan with the flaw removed. It must hold, which shows that the flaw alone broke the cell.
struct PairedControl {
  std::string lock;     // empty: the cell's own
  std::string removes;  // in words: "the fault", "the owner that is an address"
  Settings settings;
};

struct Scenario {
  std::string name;  // the file's stem
  std::string suite;
  std::string seed_name;  // name from which seeds are derived; empty: the cell's name, LOCK/NAME
  std::string about;
  std::vector<std::string> locks;  // "insert_lease", "upsert_lease+found_rows"
  Load load;
  ServerSettings server;
  std::vector<FaultSpec> faults;
  CoverageMinima minima;
  std::map<std::string, std::map<std::string, std::string>> expect;  // lock or "*" -> property -> "violated:overrun"
  std::map<std::string, std::string> why;                            // lock or "*" -> reason
  std::map<std::string, Settings> per_lock;       // by lock: settings that differ from the scenario's own
  std::map<std::string, PairedControl> controls;  // lock -> its paired control
  JsonNode source;

  // The expectations of one lock: its own entry replaces "*".
  std::map<std::string, std::string> expected_of(const std::string& lock) const;
  std::string why_of(const std::string& lock) const;
  Settings settings_of(const std::string& lock) const;
  const PairedControl* control_of(const std::string& lock) const;  // null: no control
};

// Parts that scenarios and plans have in common.
void read_coverage(ObjectReader& in, CoverageMinima& minima);
std::vector<FaultSpec> read_faults(ObjectReader& in);
void read_server(ObjectReader& in, ServerSettings& server);

Scenario load_scenario(const InputFile& file);

// Reads an already parsed, possibly modified scenario; `path` gives its name and suite.
Scenario read_scenario(JsonNode source, const std::string& path);

// Loads all *.json files of a folder, by name; if it has none, those of its subfolders; or a single file. Throws
// BadInput if there are none.
std::vector<Scenario> load_suite(const std::string& path);

}  // namespace holdfast
