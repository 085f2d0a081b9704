// A lock algorithm, written as plain blocking functions that call a Session. Start reading here.
//
// A lock consists of three files: algorithms/NAME.cpp defines `const LockType lock_NAME`; algorithms/NAME.md has its
// texts for readers (lock/lock_texts.hpp); its statements are in a file of its server's language: sql/NAME.sql,
// redis/NAME.redis and so on. There is no list to edit. The smallest lock:
//
//   class GetLock : public Lock {
//     Answer acquire(Session& s, Claim& claim) override {
//       const Reply r = s.execute("acquire", {{"key", claim.key}});
//       return r.field(0, 0) == "1" ? Answer::granted() : Answer::busy();
//     }
//     ...
//   };
//   const LockType lock_get_lock{.server = "mysql", .make = [] { return std::unique_ptr<Lock>(new GetLock); }};
//
// Documented locks follow their documents, flaws included, because the harness must find these flaws. A lock does not
// catch StatementFailed unless its document does; the client converts it to an outcome. Leases are in milliseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artifact/entry.hpp"
#include "history/event.hpp"
#include "servers/statement_file.hpp"
#include "store/session.hpp"

namespace holdfast {

struct Manifest;  // adapter/manifest.hpp
struct LockFile;  // lock/statement_lock.hpp

// Result of one attempt. `fail` surely had no effect; `info` may have had one.
struct Answer {
  EventType type = EventType::ok;
  Reason reason = Reason::none;
  std::optional<std::uint64_t> token;

  static Answer granted() { return {}; }
  static Answer granted(std::uint64_t token) { return {EventType::ok, Reason::none, token}; }
  static Answer done() { return {}; }
  static Answer busy() { return {EventType::fail, Reason::busy, {}}; }
  static Answer not_held() { return {EventType::fail, Reason::not_held, {}}; }
  static Answer conflict() { return {EventType::fail, Reason::conflict, {}}; }
  static Answer uncertain() { return {EventType::info, Reason::timeout, {}}; }
};

// The client's data for an attempt, and what a lock keeps from its grant until its release. Every grant has a different
// owner: if a process used one owner, a delayed release could free a later grant of the same client.
struct Claim {
  Key key;
  std::string owner;  // unique to this grant; an indeterminate acquire ends the process identity as well
  std::int64_t lease_ms = 0;
  std::uint64_t token = 0;       // of the grant
  std::int64_t deadline_ns = 0;  // on the client's steady clock; for locks that check their own deadline
  std::string server_id;         // of the program, for locks whose value contains one (setting `server_id`)
  std::string value;             // from the caller, for locks that take one (setting `value`)
  std::string handle{};          // from the server for this grant: the lease to which its key is attached
};

class Lock {
 public:
  virtual ~Lock() = default;
  static void* operator new(std::size_t size);  // records the size for keeps_nothing
  static void operator delete(void* lock);
  virtual void start(Session&, const std::string& /*key*/) {}  // when the application starts, before any attempt
  virtual Answer acquire(Session& session, Claim& claim) = 0;
  virtual Answer renew(Session&, Claim&) { return Answer::done(); }    // only if the type has `renews`
  virtual Answer release(Session&, Claim&) { return Answer::done(); }  // only if the type has `releases`
  // One renewal by the watchdog: called every third of a lease, or every `watchdog_ms`, from the grant until release is
  // called, in its own thread with its own session and Lock. The job does not see its answer. Only if the type has
  // `renews_in_background`.
  virtual Answer background(Session&, Claim&) { return Answer::done(); }
  virtual bool still_held(Session&, const Claim&) { return true; }  // the client's own deadline check
};

struct LockType {
  std::string server{};               // kind of server: a folder of src/servers
  std::string statements{};           // stem of its file, if shared with another lock; empty: its own name
  bool several_servers = false;       // uses all servers of a topology with independent servers
  std::string driver = "in_process";  // one of src/driver/kinds
  bool lease = true;                  // a grant expires
  bool renews = false;
  bool renews_in_background = false;  // by a watchdog
  bool renews_unseen = false;         // by a watchdog of its own, unobserved (adapters)
  bool releases = true;               // false: a holder leaves and stays silent for longer than its lease
  bool fenced = false;                // grants carry a token that the resource can check
  bool whole_seconds = false;         // the interface takes leases in whole seconds: see promised_lease_ms
  bool reentrant = false;             // a holder may acquire the lock again, and releases as often
  bool waits = false;                 // acquire waits at the server for a while before it is refused (GET_LOCK(key, 2))
  std::int64_t waits_ms = 2000;       // only if it waits: maximum server-side wait
  std::int64_t guard_ms = 0;          // time for which an expired or released key may be refused by design
  std::string isolation{};            // of its sessions, if a scenario sets none; empty: its server's default
  // only for leader locks: every process asks at this interval, leading or not, and never leaves
  std::int64_t tick_ms = 0;
  bool scheduled = false;        // begins jobs by itself under the lock, without requests
  bool tells_leader = false;     // reports the leader to its observers
  std::int64_t watchdog_ms = 0;  // renewal interval of its watchdog; 0: every third of a lease
  // Promised time for reporting a loss to its holder; 0: no promise.
  std::int64_t loss_notice_ms = 0;
  std::int64_t tried_lease_ms = 0;  // requested by generated suites; 0: as short as the interface allows
  std::function<std::unique_ptr<Lock>()> make = nullptr;
  std::shared_ptr<const Manifest> manifest{};  // only for a separate program (lock/added_locks.hpp)
  std::shared_ptr<const LockFile> file{};      // only for a lock that is a file of statements

  // Names of the properties that the lock promises; each is in checker/properties.
  std::vector<std::string> promises() const;
};

// Time from a grant, or from the end of a renewal, to the watchdog's next renewal.
std::int64_t watchdog_delay_ms(const LockType& type, std::int64_t lease_ms);

// Default topology of its servers: independent servers for a lock that uses several.
std::string topology_for(const LockType& type);

// Longest time that an attempt may wait at the server by design; 0 for a lock that answers immediately.
std::int64_t longest_wait_ms(const LockType& type);
// Returns true if a call that never returns is a finding (progress, no_return) rather than an adapter error.
bool judges_calls(const LockType& type);

// The locks in C++, from src/lock/algorithms.
const std::vector<Entry<LockType>>& catalogue_locks();

// The locks in C++, and those added since the program started.
const std::vector<Entry<LockType>>& locks();

// Adds a lock. Throws BadInput if the name is taken. Call it before any thread reads the list.
void add_lock(const std::string& name, LockType type);

// Throws HarnessError for an unknown name.
const LockType& lock_type(const std::string& name);

// Actual lease for a requested one: rounded up to a whole second if the interface takes whole seconds. The grant
// promises this lease, and the lock's statements are judged against it.
std::int64_t promised_lease_ms(const LockType& type, std::int64_t lease_ms);

// Returns true if its locks have no members, so that an object keeps nothing between calls; the size of the object that
// `make` creates shows this. Variables outside the object (static, global, thread-local) are not considered. A lock
// with members always counts as keeping something: a comparison of a used object with a new one could show a
// difference, but never prove that there is none.
bool keeps_nothing(const LockType& type);

// "upsert_lease+found_rows": the lock and the variant of its connection.
struct LockRef {
  std::string lock;
  std::string variant;  // one of its server type's variants; empty: the plain one
};
LockRef parse_lock_ref(const std::string& text);  // throws BadInput: unknown lock or variant, "did you mean"

// The type of the lock that a text such as "upsert_lease+found_rows" names. Throws like parse_lock_ref.
const LockType& type_of_ref(const std::string& text);

// Isolation level of a lock's sessions, if a scenario sets none; empty: they have none.
std::string isolation_of(const LockType& type);
// Locks whose grants expire and carry no token for a resource to check.
std::vector<std::string> leases_without_tokens(const std::vector<std::string>& locks);

// The file of a lock's statements: sql/LOCK.sql, redis/LOCK.redis and so on, or the user's own. Its statement `schema`
// creates the tables. Empty for an adapter, which has its own statements.
StatementFile lock_file(const std::string& lock);  // throws HarnessError: missing

std::vector<std::string> statement_names(const std::string& lock);

}  // namespace holdfast
