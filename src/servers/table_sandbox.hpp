// Our place on a server of tables, and the run's claim on it: all that does not depend on which server it is.
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

// A connection of the sandbox's own. StatementFailed: no answer.
class TableSession {
 public:
  virtual ~TableSession() = default;
  virtual void connect() = 0;
  virtual Reply query(const std::string& sql) = 0;
};

// How a kind of server says what a sandbox asks. `run` is a name of ours (sandbox.hpp), letters, digits and
// underscores.
struct TableWords {
  char quote = '`';            // around a name
  const char* like_ours = "";  // a query: name, comment, and BASE TABLE of one, of all whose names begin like ours
  std::string (*probe)(const std::string& quoted) = nullptr;  // makes a table with a column n, and signs it
  const char* yes = "";                                       // what the server says for it
  // A lock of a session by the run's name: who has it and who asks; to take it if it is free; whether it is; to let go.
  std::string (*holder)(const std::string& run) = nullptr;
  std::string (*take)(const std::string& run) = nullptr;
  std::string (*is_free)(const std::string& run) = nullptr;
  std::string (*let_go)(const std::string& run) = nullptr;
};

// `guarding`: for looks, of which several fit into kGrace; else one that is patient.
using OpenTables = std::function<std::unique_ptr<TableSession>(const Target& target, bool guarding)>;

inline constexpr std::chrono::milliseconds kGrace{8000};

// A run's claim on its tables: a lock of a session that does nothing else.
//
//   TableClaim claim(words, open(target, true), "holdfast_1a2b3c4d");   // HarnessError: another has it
//   const std::uint64_t before = claim.gaps();        // HarnessError: it cannot be held just now
//   ... a trial ...
//   claim.expect_no_gap_since(before);                // HarnessError: others may have taken the tables for left behind
//
// The server lets go of the lock with its session, so a run that was killed needs no clock to be known as over. But a
// session may also be cut off while its run is at work: by an administrator, a proxy, a restart. So a thread looks
// twice a second and claims again; whoever removes what is left behind waits for kGrace to see whether a claim comes
// back (nobody_claims), and holds it itself while it removes (TableSeizure). A gap in which somebody may have done so
// is no less than kGrace, and is known afterwards.
class TableClaim {
 public:
  TableClaim(const TableWords& words, std::unique_ptr<TableSession> session, std::string run);
  ~TableClaim();
  TableClaim(const TableClaim&) = delete;
  TableClaim& operator=(const TableClaim&) = delete;

  std::uint64_t gaps();
  void expect_no_gap_since(std::uint64_t before);

 private:
  using Time = std::chrono::nanoseconds;  // that goes on while the machine sleeps
  void watch();
  bool look();
  void held_at(Time asked);

  const TableWords& words_;
  const std::string run_;
  std::unique_ptr<TableSession> db_;
  std::string session_;  // the last that had the claim
  Time held_{};          // the last moment at which it was surely held
  Time longest_gap_{};
  std::uint64_t gaps_ = 0;
  bool over_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread watch_;
};

// The claim of a run that is over, while what it left is removed.
class TableSeizure {
 public:
  TableSeizure(const TableWords& words, TableSession& db, std::string run);
  ~TableSeizure();
  TableSeizure(const TableSeizure&) = delete;
  TableSeizure& operator=(const TableSeizure&) = delete;
  bool done() const { return done_; }  // false: its run is at work after all

 private:
  const TableWords& words_;
  TableSession& db_;
  const std::string run_;
  bool done_ = false;
};

// Our place on a server of tables: tables in the database that the target names (sandbox.hpp).
//
// Names that the server gives are somebody else's words. They are compared here, not by the server, whose comparison
// knows no case and no blanks at the end; only a name that is ours byte by byte (sandbox.hpp) gets into a
// statement.
class TableSandbox : public Sandbox {
 public:
  // StatementFailed: no connection. `words` must outlive it.
  TableSandbox(const Target& target, std::string run, const TableWords& words, OpenTables open);
  ~TableSandbox() override;
  TableSandbox(const TableSandbox&) = delete;
  TableSandbox& operator=(const TableSandbox&) = delete;

  void begin();  // tries what a run needs; HarnessError, and nothing is left
  const Target& target() const override { return target_; }
  Target begin_trial(const Plan& plan, std::int64_t longest_ms) override;
  void end_trial(const Target& there) override;
  std::vector<std::string> close() override;
  Sweep sweep() override;

 private:
  struct Table {
    std::string name;
    bool ours = false;  // name and sign
  };
  Reply must(const std::string& sql);  // HarnessError
  std::vector<Table> tables();         // whose names begin like ours, in any case
  std::vector<std::string> ours(const std::string& begin);
  void drop(const std::vector<std::string>& tables);
  void try_rights();
  std::string remove(const std::string& run, const std::vector<std::string>& tables, bool claimed);

  const TableWords& words_;
  OpenTables open_tables_;
  Target target_;
  std::string run_;  // empty: a visit
  std::int64_t trials_ = 0;
  bool open_ = false;
  std::mutex mutex_;  // trials may end side by side
  std::unique_ptr<TableSession> db_;
  std::unique_ptr<TableClaim> claim_;
  std::map<std::string, std::uint64_t> gaps_before_;  // of a trial that is under way, by its prefix
};

}  // namespace holdfast
