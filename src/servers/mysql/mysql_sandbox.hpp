// Our place on a MySQL or MariaDB server: tables in the database that the target names (sandbox.hpp).
//
// Names that the server gives are somebody else's words. They are compared here, not by the server, whose comparison
// knows no case and no blanks at the end; only a name that is ours byte by byte (target_names.hpp) gets into a
// statement.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "servers/mysql/mysql_claim.hpp"
#include "servers/sandbox.hpp"

namespace holdfast {

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
