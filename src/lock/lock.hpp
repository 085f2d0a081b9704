// A lock algorithm, written once as plain blocking functions against a Session. Read this first.
//
// Three files a lock: algorithms/NAME.cpp defines `const LockType lock_NAME`; what people read of it stands beside it,
// in algorithms/NAME.md (lock/lock_texts.hpp); its statements are in a file of its server's language, sql/NAME.sql or
// redis/NAME.redis and so on. Nothing else is edited. The smallest one:
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
// Documented locks are written as their documents have them, flaws included: what a document got wrong is what the
// harness must see. A lock does not catch StatementFailed unless its document does; the client turns it into an
// outcome.
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

// What one attempt came to. `fail` surely had no effect; `info` may have had.
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

// What the client brings to an attempt, and what a lock may keep from its grant until its release. Every grant has an
// owner of its own: with one owner a process, a release that was cut off and arrives seconds later would free a later
// grant of the same client.
struct Claim {
  Key key;
  std::string owner;  // unique to this grant; an indeterminate acquire ends the process identity as well
  std::int64_t lease_ms = 0;
  std::uint64_t token = 0;       // of the grant
  std::int64_t deadline_ns = 0;  // on the client's steady clock; for locks that check their own deadline
  std::string server_id;         // of the program, for locks that put one into their value (setting `server_id`)
  std::string value;             // what the caller gives such a lock (setting `value`)
  std::string handle{};          // what the server gave it for this grant: the lease that its key hangs on
};

class Lock {
 public:
  virtual ~Lock() = default;
  static void* operator new(std::size_t size);  // notes the size: see keeps_nothing
  static void operator delete(void* lock);
  virtual void start(Session&, const std::string& /*key*/) {}  // the application's start, before any attempt
  virtual Answer acquire(Session& session, Claim& claim) = 0;
  virtual Answer renew(Session&, Claim&) { return Answer::done(); }    // only if the type says `renews`
  virtual Answer release(Session&, Claim&) { return Answer::done(); }  // only if the type says `releases`
  // One renewal by the watchdog: called every third of a lease, or every `watchdog_ms`, between the grant and the call
  // of release, in a thread and with a session and a Lock of its own. The job hears nothing of its answer. Only if the
  // type says so.
  virtual Answer background(Session&, Claim&) { return Answer::done(); }
  virtual bool still_held(Session&, const Claim&) { return true; }  // the client's own look at its deadline
};

struct LockType {
  std::string server{};               // the kind of server that it lives on: a folder of src/servers
  std::string statements{};           // the stem of its file, where it shares another lock's; empty: its own name
  bool several_servers = false;       // it asks all servers of a topology whose servers are independent
  std::string driver = "in_process";  // how it is driven: one of src/driver/kinds
  bool lease = true;                  // a grant ends by itself
  bool renews = false;
  bool renews_in_background = false;  // by a watchdog
  bool renews_unseen = false;         // by one of its own, which nobody sees: an adapter's
  bool releases = true;               // else a holder leaves and stays silent for longer than its lease
  bool fenced = false;                // grants carry a token that the resource can check
  bool whole_seconds = false;         // its interface takes leases in whole seconds: see promised_lease_ms
  bool reentrant = false;             // a holder may acquire again what it holds, and releases as often
  bool waits = false;                 // acquire waits at the server for a while before it is refused (GET_LOCK(key, 2))
  std::int64_t waits_ms = 2000;       // ... of those that wait: for so long at most
  std::int64_t guard_ms = 0;          // by design a lapsed or freed key may stay refused for so long
  std::string isolation = "repeatable_read";  // of its sessions, where a scenario names none
  std::int64_t tick_ms = 0;      // a leader's lock: every process asks at this delay, leading or not, and never leaves
  bool scheduled = false;        // nobody asks it: it begins jobs by itself, under the lock
  bool tells_leader = false;     // who uses it is told who leads
  std::int64_t watchdog_ms = 0;  // how often its watchdog renews; 0: every third of a lease
  // Within which it promises to tell a holder that another has its lock; 0: it does not.
  std::int64_t loss_notice_ms = 0;
  std::int64_t tried_lease_ms = 0;  // the lease that a generated suite asks for; 0: as short as the interface allows
  std::function<std::unique_ptr<Lock>()> make = nullptr;
  std::shared_ptr<const Manifest> manifest{};  // of a lock that is a program of its own (lock/added_locks.hpp)
  std::shared_ptr<const LockFile> file{};      // of one that is a file of statements and no more

  // The properties that the lock promises, by their names in checker/properties.
  std::vector<std::string> promises() const;
};

// From a grant, or from the end of a renewal, to the next one by its watchdog.
std::int64_t watchdog_delay_ms(const LockType& type, std::int64_t lease_ms);

// The topology of its servers that it is written for: of one that asks several that whose servers are independent.
std::string topology_for(const LockType& type);

// How long an attempt may lie at the server by design: nothing, of a lock that answers at once.
std::int64_t longest_wait_ms(const LockType& type);
// Whether a call that never comes back is a finding (progress, no_return) and no error of an adapter's.
bool judges_calls(const LockType& type);

// Those in src/lock/algorithms, written in C++.
const std::vector<Entry<LockType>>& catalogue_locks();

// These, and what was added to them since the program began.
const std::vector<Entry<LockType>>& locks();

// Throws BadInput: there is one of that name. Before any thread reads the list.
void add_lock(const std::string& name, LockType type);

// Throws HarnessError: there is none of that name.
const LockType& lock_type(const std::string& name);

// The lease that a caller gets who wants `lease_ms`: where the interface takes whole seconds, the next whole second.
// The grant promises this, and what the lock's statements ask of the server is judged against it.
std::int64_t promised_lease_ms(const LockType& type, std::int64_t lease_ms);

// Whether its locks have no members, so that nothing of one call is left in the object for the next. Variables outside
// of it (static, global, of a thread) are not seen. Known for certain from the size of what `make` makes. With members
// nothing can be left out, whatever they are: comparing the statements of a used object with those of a fresh one could
// only show that they differed, never that they cannot.
bool keeps_nothing(const LockType& type);

// "upsert_lease+found_rows": the lock and the variant of its connection.
struct LockRef {
  std::string lock;
  std::string variant;  // one of its server type's; empty: the plain one
};
LockRef parse_lock_ref(const std::string& text);  // throws BadInput: unknown lock or variant, "did you mean"

// The type of the lock that such a text names. Throws as parse_lock_ref.
const LockType& type_of_ref(const std::string& text);
// Those whose grants end by themselves and carry no token that a resource could check.
std::vector<std::string> leases_without_tokens(const std::vector<std::string>& locks);

// The file of a lock's statements: sql/LOCK.sql, redis/LOCK.redis and the like, or the user's own. The statement
// `schema` makes what it needs. An adapter's are its own affair: its file is empty.
StatementFile lock_file(const std::string& lock);  // throws HarnessError: missing

std::vector<std::string> statement_names(const std::string& lock);

}  // namespace holdfast
