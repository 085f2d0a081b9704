#include "cli/foreseen_cells.hpp"

#include "generate/generated_suite.hpp"

namespace holdfast {

ForeseenCells foreseen_cells(const RunFlags& flags) {
  ForeseenCells out;
  for (const auto& lock : flags.locks) {
    const ForeseenSuite suite = foresee_suite(lock, tried_lease_ms(flags, lock));
    for (SuiteOptions* options : {&out.sure, &out.possible}) {
      options->scenarios.insert(options->scenarios.end(), suite.sure.begin(), suite.sure.end());
      options->left_out.insert(options->left_out.end(), suite.left_out.begin(), suite.left_out.end());
    }
    out.possible.scenarios.insert(out.possible.scenarios.end(), suite.possible.begin(), suite.possible.end());
  }
  return out;
}

void check_foreseen(const RunFlags& flags) {
  if (flags.only.patterns.empty()) return;
  SuiteOptions all = foreseen_cells(flags).possible;
  all.only = flags.only.patterns;
  all.only_from = flags.only.places;
  plan_cells(all);
}

}  // namespace holdfast
