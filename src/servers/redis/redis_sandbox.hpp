// A sandbox on a Redis server: keys in the database whose number the target names (sandbox.hpp).
//
// The register is one hash, `holdfast_runs`: run -> "TRIALS KEYS", the number of trials begun, and the largest number
// of keys in one of them. So all names that a run may have used are known without scanning all keys. Redis removes the
// hash with its last entry. `RUN_alive` expires when the longest trial of its run must be over. Twice a second a run
// checks that both exist, and restores them; a trial in which one was lost shows nothing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "servers/redis/redis_connection.hpp"
#include "servers/sandbox.hpp"

namespace holdfast {

class RedisSandbox : public Sandbox {
 public:
  RedisSandbox(const Target& target, std::string run);  // throws StatementFailed without a connection
  ~RedisSandbox() override;
  RedisSandbox(const RedisSandbox&) = delete;
  RedisSandbox& operator=(const RedisSandbox&) = delete;

  void begin();  // tests what a run needs; throws HarnessError
  const Target& target() const override { return target_; }
  Target begin_trial(const Plan& plan, std::int64_t longest_ms) override;
  void end_trial(const Target& there) override;
  std::vector<std::string> close() override;
  Sweep sweep() override;

 private:
  struct Entry {
    std::int64_t trials = 0;
    std::int64_t keys = 0;
  };
  Reply ask(const std::vector<std::string>& command);   // throws HarnessError without an answer
  Reply must(const std::vector<std::string>& command);  // HarnessError
  static std::int64_t names_of(const Entry& entry) { return entry.trials * entry.keys; }
  std::map<std::string, Entry> read_register();  // throws HarnessError if it is not holdfast's
  void watch();
  void claim();
  void remove(const std::string& run, const Entry& entry);
  std::vector<std::string> keys(const std::string& run, std::int64_t trial, std::int64_t count) const;

  Target target_;
  std::string run_;  // empty: cleaning only
  Entry own_;
  std::chrono::steady_clock::time_point alive_until_;
  std::uint64_t gaps_ = 0;                            // number of losses of the entry or sign of life
  std::map<std::string, std::uint64_t> gaps_before_;  // of an active trial, by its prefix
  bool open_ = false;
  bool over_ = false;
  std::mutex mutex_;  // trials may end concurrently
  std::condition_variable ended_;
  RedisConnection db_;
  std::thread watch_;
};

}  // namespace holdfast
