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
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "servers/mysql/mysql_connection.hpp"

namespace holdfast {

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

}  // namespace holdfast
