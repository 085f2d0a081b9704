// A sandbox on a server with tables, and the run's claim on it: the part common to all such servers.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "servers/sandbox.hpp"
#include "store/session.hpp"

namespace holdfast {

// A connection of the sandbox itself. Throws StatementFailed without an answer.
class TableSession {
 public:
  virtual ~TableSession() = default;
  virtual void connect() = 0;
  virtual Reply query(const std::string& sql) = 0;
};

// Statements of a kind of server for a sandbox. `run` is one of holdfast's names (sandbox.hpp): letters, digits and
// underscores.
struct TableWords {
  char quote = '`';  // around a name
  // a query: name, comment, and BASE TABLE for tables, of all names that begin like holdfast's
  const char* like_ours = "";
  std::string (*probe)(const std::string& quoted) = nullptr;  // creates a table with a column n and the mark
  const char* yes = "";                                       // the server's answer for true
  // A session lock named after the run: its holder and the asking session; taking it if free; whether it is held;
  // releasing.
  std::string (*holder)(const std::string& run) = nullptr;
  std::string (*take)(const std::string& run) = nullptr;
  std::string (*is_free)(const std::string& run) = nullptr;
  std::string (*let_go)(const std::string& run) = nullptr;
};

// `guarding`: for looks, several of which fit into kGrace; otherwise with long time-outs.
using OpenTables = std::function<std::unique_ptr<TableSession>(const Target& target, bool guarding)>;

inline constexpr std::chrono::milliseconds kGrace{8000};

// A run's claim on its tables: a lock held by a session that does nothing else.
//
//   TableClaim claim(words, open(target, true), "holdfast_1a2b3c4d");   // throws HarnessError if another has it
//   const std::uint64_t before = claim.gaps();        // throws HarnessError if it is not held at present
//   ... a trial ...
//   claim.expect_no_gap_since(before);                // throws HarnessError: others may have removed the tables
//
// The server releases the lock with its session, so the end of a killed run is detected without a clock. But a session
// may also be cut off during its run: by an administrator, a proxy, a restart. So a thread checks twice a second and
// claims again; a clean-up waits for kGrace to see whether a claim returns (nobody_claims), and holds the lock itself
// while it removes (TableSeizure). A gap in which this may have happened is at least kGrace long, and is detected
// afterwards.
class TableClaim {
 public:
  TableClaim(const TableWords& words, std::unique_ptr<TableSession> session, std::string run);
  ~TableClaim();
  TableClaim(const TableClaim&) = delete;
  TableClaim& operator=(const TableClaim&) = delete;

  std::uint64_t gaps();
  void expect_no_gap_since(std::uint64_t before);

 private:
  using Time = std::chrono::nanoseconds;  // on a clock that continues while the machine sleeps
  void watch();
  bool look();
  void held_at(Time asked);

  const TableWords& words_;
  const std::string run_;
  std::unique_ptr<TableSession> db_;
  std::string session_;  // the last one with the claim
  Time held_{};          // the last time at which it was surely held
  Time longest_gap_{};
  std::uint64_t gaps_ = 0;
  bool over_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread watch_;
};

// The claim of an ended run, while its tables are removed.
class TableSeizure {
 public:
  TableSeizure(const TableWords& words, TableSession& db, std::string run);
  ~TableSeizure();
  TableSeizure(const TableSeizure&) = delete;
  TableSeizure& operator=(const TableSeizure&) = delete;
  bool done() const { return done_; }  // false: its run is still active

 private:
  const TableWords& words_;
  TableSession& db_;
  const std::string run_;
  bool done_ = false;
};

// A sandbox on a server with tables: tables in the target's database (sandbox.hpp).
//
// Names from the server are foreign text. They are compared here, since the server's comparison ignores case and
// trailing blanks; only a name that matches byte by byte (sandbox.hpp) is used in a statement.
class TableSandbox : public Sandbox {
 public:
  // Throws StatementFailed without a connection. `words` must outlive it.
  TableSandbox(const Target& target, std::string run, const TableWords& words, OpenTables open);
  ~TableSandbox() override;
  TableSandbox(const TableSandbox&) = delete;
  TableSandbox& operator=(const TableSandbox&) = delete;

  void begin();  // tests what a run needs; throws HarnessError and leaves nothing
  const Target& target() const override { return target_; }
  Target begin_trial(const Plan& plan, std::int64_t longest_ms) override;
  void end_trial(const Target& there) override;
  std::vector<std::string> close() override;
  Sweep sweep() override;

 private:
  struct Table {
    std::string name;
    bool ours = false;  // by name and mark
  };
  Reply must(const std::string& sql);  // HarnessError
  std::vector<Table> tables();         // whose names begin like holdfast's, in any case
  std::vector<std::string> ours(const std::string& begin);
  void drop(const std::vector<std::string>& tables);
  void try_rights();
  std::string remove(const std::string& run, const std::vector<std::string>& tables, bool claimed);

  const TableWords& words_;
  OpenTables open_tables_;
  Target target_;
  std::string run_;  // empty: cleaning only
  std::int64_t trials_ = 0;
  bool open_ = false;
  std::mutex mutex_;  // trials may end concurrently
  std::unique_ptr<TableSession> db_;
  std::unique_ptr<TableClaim> claim_;
  std::map<std::string, std::uint64_t> gaps_before_;  // of an active trial, by its prefix
};

}  // namespace holdfast
