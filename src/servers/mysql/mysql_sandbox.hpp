// Our place on a MySQL or MariaDB server, and the run's claim on it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "servers/mysql/mysql_connection.hpp"
#include "servers/sandbox.hpp"

namespace holdfast {

// A run's claim on its tables on a MySQL or MariaDB server: a named lock (GET_LOCK) of a session that does nothing
// else.
//
//   MySqlClaim claim(address, "holdfast_1a2b3c4d");   // HarnessError: another has it
//   const std::uint64_t before = claim.gaps();        // HarnessError: it cannot be held just now
//   ... a trial ...
//   claim.expect_no_gap_since(before);                // HarnessError: others may have taken the tables for left behind
//
// The server lets go of the lock with its session, so a run that was killed needs no clock to be known as over. But a
// session may also be cut off while its run is at work: by an administrator, a proxy, a restart. So a thread looks
// twice a second and claims again; whoever removes what is left behind waits for kGrace to see whether a claim comes
// back (nobody_claims), and holds it itself while it removes (MySqlSeizure). A gap in which somebody may have done so
// is no less than kGrace, and is known afterwards.

inline constexpr std::chrono::milliseconds kGrace{8000};

class MySqlClaim {
 public:
  MySqlClaim(MySqlAddress address, std::string run);
  ~MySqlClaim();
  MySqlClaim(const MySqlClaim&) = delete;
  MySqlClaim& operator=(const MySqlClaim&) = delete;

  std::uint64_t gaps();
  void expect_no_gap_since(std::uint64_t before);

 private:
  using Time = std::chrono::nanoseconds;  // that goes on while the machine sleeps
  void watch();
  bool look();
  void held_at(Time asked);

  const std::string run_;
  MySqlConnection db_;
  std::string session_;  // the last that had the claim
  Time held_{};          // the last moment at which it was surely held
  Time longest_gap_{};
  std::uint64_t gaps_ = 0;
  bool over_ = false;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::thread watch_;
};

// Those of the runs that nobody claims, and nobody has claimed again for kGrace. Asks through `db`, and takes no time
// where all are claimed.
std::set<std::string> nobody_claims(MySqlConnection& db, const std::vector<std::string>& runs);

// The claim of a run that is over, while what it left is removed.
class MySqlSeizure {
 public:
  MySqlSeizure(MySqlConnection& db, std::string run);
  ~MySqlSeizure();
  MySqlSeizure(const MySqlSeizure&) = delete;
  MySqlSeizure& operator=(const MySqlSeizure&) = delete;
  bool done() const { return done_; }  // false: its run is at work after all

 private:
  MySqlConnection& db_;
  const std::string run_;
  bool done_ = false;
};

// Our place on a MySQL or MariaDB server: tables in the database that the target names (sandbox.hpp).
//
// Names that the server gives are somebody else's words. They are compared here, not by the server, whose comparison
// knows no case and no blanks at the end; only a name that is ours byte by byte (sandbox.hpp) gets into a
// statement.

class MySqlSandbox : public Sandbox {
 public:
  MySqlSandbox(const Target& target, std::string run);  // StatementFailed: no connection
  ~MySqlSandbox() override;
  MySqlSandbox(const MySqlSandbox&) = delete;
  MySqlSandbox& operator=(const MySqlSandbox&) = delete;

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

  Target target_;
  std::string run_;  // empty: a visit
  std::int64_t trials_ = 0;
  bool open_ = false;
  std::mutex mutex_;  // trials may end side by side
  MySqlConnection db_;
  std::unique_ptr<MySqlClaim> claim_;
  std::map<std::string, std::uint64_t> gaps_before_;  // of a trial that is under way, by its prefix
};

}  // namespace holdfast
