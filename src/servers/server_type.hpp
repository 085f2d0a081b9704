// A kind of server on which locks live: all that the rest of the program knows of it. Read this first.
//
// One folder a kind: NAME/NAME.cpp defines `const ServerType server_NAME`, and whatever it needs stands beside it.
// Nothing else is edited, and nobody else names a server: they ask for what it can do.
//
//   const ServerType& type = server_type("redis");
//   auto db = type.connect(lock_file("redis_token"), access);      // a client's connection
//   auto server = type.start(config);                              // a lab's server (lock_server.hpp)
//
// What is null, or empty, a kind cannot do, and whoever asks says so.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/entry.hpp"
#include "artifact/scenario.hpp"
#include "lab/readiness_probe.hpp"
#include "servers/client_access.hpp"
#include "servers/lock_server.hpp"
#include "servers/sandbox.hpp"
#include "servers/statement_file.hpp"
#include "servers/stepped_store.hpp"
#include "store/session.hpp"

namespace holdfast {

// What the lock service consists of in the lab. The first of a kind is one server alone.
struct Topology {
  const char* name = "single";
  const char* about = "";     // for people
  std::uint32_t servers = 1;  // equals; each client has one of them, which is the first that it asks where it knows all
  bool replica = false;       // the server has an asynchronous replica, on a node of its own
  bool reads_split = false;   // a connection can be split: what reads goes to the replica
  bool elects = false;        // the servers elect a leader among them, which a fault can name as its target
  bool all_known = false;     // each client knows the addresses of all, and chooses among them by itself
  bool independent = false;   // the servers know nothing of each other: each client talks to all of them
  bool strikeable = true;  // one of its servers can be stopped, ended, started again and given a wrong clock by itself
  const char* was = "";    // what it was called before, for whoever still calls it so
};

// A program that can be replaced: --server NAME=PATH.
struct ServerProgram {
  const char* name = "";   // "mysqld"
  const char* alias = "";  // another word for it, or none
};

// Another way for a client to connect, which a lock's name asks for with +NAME.
struct ConnectionVariant {
  std::string name;
  const char* about = "";  // a line, for people
};

// Files of named statements: FOLDER/LOCK.FOLDER.
struct StatementForm {
  const char* folder = "";                                         // "sql", which is also how the names end
  const char* comment = "";                                        // what a comment begins with
  const char* fence = "";                                          // the language's name in Markdown
  std::string_view (*text)(std::string_view file_name) = nullptr;  // empty: there is no such file
  const char* lease_line = "";       // how a statement takes the lease's length, as an example
  std::vector<std::string> notes{};  // what a file says of a statement, beside its name, for its reader alone
  std::vector<std::string> (*names)(const StatementFile& file) = nullptr;
  // Of one statement, each once.
  std::vector<std::string> (*parameters)(const StatementFile& file, std::string_view statement) = nullptr;
};

// How a server of the user's own is named: SCHEME://user@host:port/database.
struct UrlForm {
  const char* scheme = "";
  const char* tls_scheme = "";  // that of a secured connection; empty: ?tls=required says so
  unsigned port = 0;
  const char* database = "";                             // where none is named
  const char* form = "";                                 // "mysql://user@host:port/database", for people
  std::string (*wrong)(const Target& target) = nullptr;  // what is wrong with it; empty: nothing
};

// How a program of its own reaches a server of the lab, which asks for no password.
struct LabLogin {
  unsigned port = 0;
  const char* user = "";
  const char* database = "";
};

struct ServerType {
  const char* title = "";  // "MariaDB": the one that is installed, for people
  const char* about = "";  // one line, for people
  const char* without =
      "";  // the client library that this program was built without; then nothing can be started or connected to
  const char* set_up = "";                     // the command that installs it and builds again
  std::string (*library_missing)() = nullptr;  // of one that is loaded late; null: it is linked
  StatementForm form{};
  std::vector<ConnectionVariant> variants{};
  std::vector<Topology> topologies{};
  std::vector<ServerProgram> programs{};
  bool vdso_clock = false;  // its programs load no library of ours: their clocks are set by the vDSO
  // The keys of a scenario's `server` that are its own, as properties of a JSON Schema, for editors. `check` reads the
  // same, and throws BadInput.
  const char* settings = "{}";
  void (*check)(const ServerSettings& settings) = nullptr;
  UrlForm url{};
  LabLogin login{};
  const char* suite = "";       // that has faults of such servers: "scenarios/redis_server"; empty: none
  const char* protocol = "";    // in which requests are told apart: one of src/relay/protocols; empty: none
  bool requests_repeat = true;  // ... and may arrive twice; not where each has a stream of its own
  ReadinessProbe readiness{};   // how to see that it serves
  bool has_sessions = false;    // with a time zone and an isolation level
  bool has_null = false;        // a key can be NULL
  bool refuses_writes = false;  // a setting has it answer reads alone (lock_server.hpp)
  bool drops_entries = false;   // a command drops all its entries
  bool names_keys = false;      // on a server of the user's own only keys that holdfast names can be removed surely
  const char* plain_lock = "";  // of the catalogue, with an owner, a lease, and statements acquire and release
  std::unique_ptr<StatementConnection> (*connect)(const StatementFile& file, const ClientAccess& access) = nullptr;
  std::unique_ptr<LockServer> (*start)(const ServerConfig& config) = nullptr;  // whatever its topology is
  std::unique_ptr<LockServer> (*on_target)(const Target& target) = nullptr;
  // Our place on a target (sandbox.hpp), tried with what a run needs; an empty run: a visit. Throws what failed.
  std::unique_ptr<Sandbox> (*sandbox)(const Target& target, const std::string& run) = nullptr;
  std::string (*client_command)(const Target& target) = nullptr;  // of its own client, which asks for the password
  std::unique_ptr<ExploreServer> (*explore)(const std::string& folder) = nullptr;
  ResourceHolder resource{};

  std::string missing() const;  // why it cannot be used by this program, and the remedy; empty: it can
  bool holds_resource() const { return resource.start != nullptr; }
  const Topology* topology(const std::string& name) const;  // null: it has none of that name
  std::vector<std::string> variant_names() const;
};

const std::vector<Entry<ServerType>>& server_types();

// Throws HarnessError: a lock names a kind that is not there.
const ServerType& server_type(const std::string& name);

// Of the protected resource beside a lock on this kind: the kind itself, if it can hold it, else the first that can.
const ServerType& resource_type(const ServerType& of_lock);

// All topologies, by name, the single one first.
std::vector<std::string> topology_names();

// How a scenario sets up a lock's server: the keys of `server`, of which each kind has its own (ServerType::settings).
// A scenario for locks on several kinds may have keys of each; a kind reads its own and passes over the others'.

// An object with those of the kind's own keys that are set.
JsonNode settings_for(const ServerType& type, const ServerSettings& settings);

// Throws BadInput, naming file and line: a key that no kind knows, or a value that its kind does not take.
void check_server_settings(const ServerSettings& settings);

}  // namespace holdfast
