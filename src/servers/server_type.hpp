// A kind of server for locks: everything that the rest of the program uses of it. Start reading here.
//
// Each kind is a folder: NAME/NAME.cpp defines `const ServerType server_NAME`, with everything it needs beside it.
// There is no list to edit, and no other component names a server: they test capabilities.
//
//   const ServerType& type = server_type("redis");
//   auto db = type.connect(lock_file("redis_token"), access);      // a client's connection
//   auto server = type.start(config);                              // a lab's server (lock_server.hpp)
//
// A null or empty member means that the kind does not have that capability; callers report it.
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

// A setup of the lock service in the lab. The first of a kind is a single server.
struct Topology {
  const char* name = "single";
  const char* about = "";  // for display
  // number of equal servers; each client uses one of them, or begins with it if it knows all
  std::uint32_t servers = 1;
  bool replica = false;      // has an asynchronous replica on its own node
  bool reads_split = false;  // a connection can be split: reads go to the replica
  bool elects = false;       // the servers elect a leader, which a fault can name as its target
  bool all_known = false;    // each client knows all addresses and chooses among them
  bool independent = false;  // servers are independent: each client uses all of them
  bool strikeable = true;    // its servers can be stopped, killed, restarted and given a wrong clock individually
  const char* was = "";      // former name, still accepted
};

// A program that can be replaced: --server NAME=PATH.
struct ServerProgram {
  const char* name = "";   // "mysqld"
  const char* alias = "";  // another name for it, or empty
};

// Another way for a client to connect, selected by +NAME after a lock's name.
struct ConnectionVariant {
  std::string name;
  const char* about = "";  // a line, for people
};

// Files of named statements: FOLDER/LOCK.FOLDER.
struct StatementForm {
  const char* folder = "";                                         // "sql", also the extension of file names
  const char* comment = "";                                        // comment prefix
  const char* fence = "";                                          // the language's name in Markdown
  std::string_view (*text)(std::string_view file_name) = nullptr;  // empty: no such file
  const char* lease_line = "";                                     // example of a statement with the lease's length
  std::vector<std::string> notes{};  // additional notes of a statement, beside its name, used by the file's reader only
  std::vector<std::string> (*names)(const StatementFile& file) = nullptr;
  // Parameters of one statement, without duplicates.
  std::vector<std::string> (*parameters)(const StatementFile& file, std::string_view statement) = nullptr;
};

// Form of URLs for a user's own server: SCHEME://user@host:port/database.
struct UrlForm {
  const char* scheme = "";
  const char* tls_scheme = "";  // scheme of a secured connection; empty: ?tls=required instead
  unsigned port = 0;
  const char* database = "";                             // default
  const char* form = "";                                 // "mysql://user@host:port/database", for people
  std::string (*wrong)(const Target& target) = nullptr;  // the error; empty: none
};

// Login with which a separate program reaches a server in the lab, which needs no password.
struct LabLogin {
  unsigned port = 0;
  const char* user = "";
  const char* database = "";
};

// Shell scripts that send the requests of a schedule to a server of the reader's own (explore/schedule_script.hpp).
struct ScriptForm {
  const char* shell = "";                // "bash"; empty: there are none for this kind
  const char* options = "";              // what they take, for people: "the options of redis-cli: -p 6379"
  std::string (*functions)() = nullptr;  // define send, wait_for, close_session and finish
  bool by_words = false;                 // a request is its words; else a statement's text
  std::string (*schema)(const StatementFile& file) = nullptr;  // statement that makes the tables; null: no tables
};

struct ServerType {
  const char* title = "";    // name of the installed server for display: "MariaDB"
  const char* about = "";    // one line, for people
  const char* without = "";  // client library missing in this build; nothing can be started or connected to then
  const char* set_up = "";   // command that installs it and rebuilds
  std::string (*library_missing)() = nullptr;  // for a library loaded late; null: linked
  StatementForm form{};
  std::vector<ConnectionVariant> variants{};
  std::vector<Topology> topologies{};
  std::vector<ServerProgram> programs{};
  bool vdso_clock = false;  // its programs load no preloaded library: their clocks are changed in the vDSO
  // Its own keys in a scenario's `server`, as properties of a JSON Schema, for editors. `check` reads the same keys and
  // throws BadInput.
  const char* settings = "{}";
  void (*check)(const ServerSettings& settings) = nullptr;
  UrlForm url{};
  LabLogin login{};
  const char* suite = "";       // suite with faults of such servers: "scenarios/redis_server"; empty: none
  const char* protocol = "";    // protocol in which requests are distinguished: one of src/relay/protocols; empty: none
  bool requests_repeat = true;  // requests may be duplicated; false if each has a stream of its own
  ReadinessProbe readiness{};   // readiness probe
  bool has_sessions = false;    // with a time zone and an isolation level
  bool has_null = false;        // a key can be NULL
  bool refuses_writes = false;  // a setting makes it answer reads only (lock_server.hpp)
  bool drops_entries = false;   // one command drops all its entries
  bool delays_commits = false;  // has the setting commit_delay_ms
  const char* isolation = "";   // default of its sessions; empty: they have none
  bool names_keys = false;      // on a user's own server only keys named by holdfast can be removed reliably
  const char* plain_lock = "";  // from the catalogue, with an owner, a lease, and statements acquire and release
  std::unique_ptr<StatementConnection> (*connect)(const StatementFile& file, const ClientAccess& access) = nullptr;
  std::unique_ptr<LockServer> (*start)(const ServerConfig& config) = nullptr;  // for any topology
  std::unique_ptr<LockServer> (*on_target)(const Target& target) = nullptr;
  // The run's sandbox on a target (sandbox.hpp), tested with what a run needs; an empty run: cleaning only. Throws on
  // failure.
  std::unique_ptr<Sandbox> (*sandbox)(const Target& target, const std::string& run) = nullptr;
  std::string (*client_command)(const Target& target) = nullptr;  // of its own client, which prompts for the password
  std::unique_ptr<ExploreServer> (*explore)(const std::string& folder) = nullptr;
  ResourceHolder resource{};
  ScriptForm script{};

  std::string missing() const;  // reason and remedy if this program cannot use it; empty: it can
  bool holds_resource() const { return resource.start != nullptr; }
  const Topology* topology(const std::string& name) const;  // null: unknown name
  std::vector<std::string> variant_names() const;
};

const std::vector<Entry<ServerType>>& server_types();

// Throws HarnessError for an unknown kind.
const ServerType& server_type(const std::string& name);

// Kind of server for the protected resource of such a lock: the same kind if it can hold it, else the first that can.
const ServerType& resource_type(const ServerType& of_lock);

// Names of all topologies, the single server first.
std::vector<std::string> topology_names();

// Scenario settings for a lock's server: the keys of `server`, of which each kind has its own (ServerType::settings). A
// scenario for locks on several kinds may have keys of each; a kind reads its own and ignores the others.

// An object with the kind's own keys that are set.
JsonNode settings_for(const ServerType& type, const ServerSettings& settings);

// Throws BadInput, with file and line, for a key unknown to all kinds, or an invalid value.
void check_server_settings(const ServerSettings& settings);

}  // namespace holdfast
