// Our place on a MySQL or MariaDB server: tables in the database that the target names (target_place.hpp).
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "suite/target_place.hpp"

namespace holdfast {

class MySqlPlace : public TargetPlace {
 public:
  MySqlPlace(const Target& target, std::string run);  // StatementFailed: no connection
  ~MySqlPlace() override;
  MySqlPlace(const MySqlPlace&) = delete;
  MySqlPlace& operator=(const MySqlPlace&) = delete;

  void begin();  // tries what a run needs; HarnessError, and nothing is left
  const Target& target() const override { return target_; }
  Target begin_trial(const Plan& plan, std::int64_t longest_ms) override;
  void end_trial(const Target& there) override;
  std::vector<std::string> close() override;
  std::vector<std::string> sweep() override;

 private:
  Reply must(const std::string& sql);  // HarnessError
  void show_life();
  bool alive(const std::string& run);
  std::vector<std::string> tables(const std::string& pattern, bool ours);
  void drop(const std::vector<std::string>& tables);
  void try_rights();

  Target target_;
  std::string run_;  // empty: a visit
  std::int64_t trials_ = 0;
  bool open_ = false;
  std::mutex mutex_;  // trials may end side by side
  MySqlConnection db_;
};

}  // namespace holdfast
