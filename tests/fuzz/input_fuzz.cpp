// Any bytes as a scenario, a stored plan, a replay file or the Markdown file of a lock: a clear refusal, or something
// that is what it was when it is written and read again; never a crash. libFuzzer, as check_fuzz:
//
//   build/fuzz/tests/fuzz/input_fuzz -max_len=8192 -max_total_time=600 FOLDER_OF_ITS_OWN tests/fuzz/corpus/inputs
//
// The first byte says which it is to be (kReaders); the rest is the file.
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "explore/replay_file.hpp"
#include "lock/lock_texts.hpp"
#include "plan/make_plan.hpp"
#include "suite/suite.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/one_of.hpp"
#include "tests/lock/written_lock_texts.hpp"

namespace holdfast {
namespace {

std::string stored(const Plan& plan) {
  return to_json(plan).dump();
}

Plan read_plan(const std::string& text) {
  return load_plan(MemoryFile(text.data(), text.size()).path());
}

// Each of its cells is planned, as before a run; what is planned is stored for the trial's own process.
void scenario(const std::string& text) {
  SuiteOptions options;
  options.scenarios = {read_scenario(parse_json_text(text, "s.json"), "scenarios/fuzz/s.json")};
  demand(!plan_cells(options).empty());
  for (const std::string& lock : options.scenarios[0].locks) {
    const std::string plan = stored(make_plan(options.scenarios[0], lock, 1, 1));
    demand(stored(read_plan(plan)) == plan);
  }
}

void plan(const std::string& text) {
  const std::string once = stored(read_plan(text));
  demand(stored(read_plan(once)) == once);
}

void replay(const std::string& text) {
  const std::string once = to_text(parse_replay(text, "r"));
  demand(to_text(parse_replay(once, "r")) == once);
}

void lock_markdown(const std::string& text) {
  const std::string once = tests::written_lock_texts(read_lock_texts(text, "x.md"), "x");
  try {
    demand(tests::written_lock_texts(read_lock_texts(once, "x.md"), "x") == once);
  } catch (const BadInput&) {
    std::abort();
  }
}

constexpr Reader kReaders[] = {{'s', scenario}, {'p', plan}, {'r', replay}, {'m', lock_markdown}};

}  // namespace
}  // namespace holdfast

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return holdfast::read_as_one_of(holdfast::kReaders, data, size);
}
