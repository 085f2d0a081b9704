// A search with schedules, and a run of hundreds of cells.
#include <string>

#include "tests/reports/made_up_run.hpp"

namespace holdfast::made_up {

Page explored_run() {
  Page in;
  in.run.suite = kExplored;
  in.run.command = "holdfast explore a b --budget 20s";
  in.run.scenarios = {kExplored};
  for (const char* lock : {"a", "b"}) {
    Cell cell;
    cell.lock = lock;
    cell.scenario = kExplored;
    cell.outcome = Outcome::unexpected;
    TrialResult trial;
    trial.outcome = Outcome::unexpected;
    trial.verdict.judgement = Judgement::violated;
    trial.verdict.properties.emplace_back().property = "lease_exclusion";
    trial.verdict.properties.front().judgement = Judgement::violated;
    Witness witness;
    witness.text = "A and B both hold; schedule: A +2.6s B";
    trial.verdict.properties.front().witnesses = {witness};
    cell.trials.push_back(trial);
    in.run.cells.push_back(cell);
    in.run.locks.emplace_back(lock);
    ExploredFind find{"two_holders", "A and B both hold", "select of one", "0 faults", "A +2.6s B", "", "", true, {}};
    find.replay = std::string("holdfast replay runs/x/") + lock + ".two_holders.replay";
    find.steps = {{"A", "A", "12:00:00.4", "acquire", "SELECT owner <x>", "nothing", "", {}},
                  {"+2.6s", "", "12:00:03", "", "", "", "", {}},
                  {"B", "B", "12:00:03", "acquire", "INSERT 1", "1 change", "acquire: granted", {"B until 12:00:05"}}};
    in.explored[lock] = {find};
  }
  in.run.exit_code = 1;
  return in;
}

Page large_run(std::size_t locks, std::size_t scenarios) {
  Page in = failing_run();
  const auto cells = in.run.cells;
  in.run.cells.clear();
  in.run.locks.clear();
  in.run.scenarios.clear();
  for (std::size_t i = 0; i < scenarios; ++i) in.run.scenarios.push_back("scenario_" + std::to_string(i));
  for (std::size_t lock = 0; lock < locks; ++lock) {
    in.run.locks.push_back("lock_" + std::to_string(lock));
    for (std::size_t i = 0; i < in.run.scenarios.size(); ++i) {
      Cell cell = cells[i % 8 == 0 ? 1 : 0];  // caught, or as expected
      if (lock == 3 && i == 4) cell = cells[8];
      cell.lock = in.run.locks.back();
      cell.scenario = in.run.scenarios[i];
      const std::string before = cell.trials.front().folder;
      const std::string folder = cell.lock + "/" + cell.scenario + "/1";
      in.trials[folder] = in.trials.at(before);
      cell.trials.front().folder = folder;
      in.run.cells.push_back(std::move(cell));
    }
  }
  return in;
}

}  // namespace holdfast::made_up
