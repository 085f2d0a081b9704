// Cells planned from scenarios that a test writes, and the refusal where they are wrong.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "suite/suite.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {

class PlanCells : public testing::Test {
 protected:
  void add(const std::string& file, const std::string& more = "") {
    options.scenarios.push_back(load_scenario(folder.write(
        file, R"({"locks": ["get_lock", "insert_lease+found_rows"], "expect": {"get_lock": {"fencing": "holds"}})" +
                  more + "}")));
  }
  std::vector<std::string> cells() {
    std::vector<std::string> out;
    for (const auto& cell : plan_cells(options)) out.push_back(cell.lock + "/" + cell.scenario);
    return out;
  }
  std::string suite_refusal() {
    return refusal([this] { plan_cells(options); });
  }
  // The refusal of a scenario with this fault.
  std::string fault_refusal(const std::string& fault) {
    options.scenarios.clear();
    const std::string why = refusal([&] {
      add("x.json", ",\n\"faults\": [" + fault + "]");
      plan_cells(options);
    });
    const auto at = why.find("x.json");
    return at == std::string::npos ? why : why.substr(at);
  }

  TemporaryFolder folder;
  SuiteOptions options;
};

}  // namespace holdfast
