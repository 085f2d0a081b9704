// Any bytes as what a run stored (verdicts, results, facts, comparisons): a clear refusal, or something that is what it
// was when it is written and read again, and that a page, a summary and a terminal can show; never a crash. libFuzzer,
// as check_fuzz:
//
//   build/fuzz/tests/fuzz/stored_fuzz -max_len=16384 -max_total_time=600 FOLDER_OF_ITS_OWN tests/fuzz/corpus/stored
//
// The first byte says which it is to be (kReaders); the rest is the file.
#include <nlohmann/json.hpp>
#include <string>

#include "artifact/comparison.hpp"
#include "artifact/error.hpp"
#include "artifact/facts.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/run_verdict.hpp"
#include "reports/comparison_page.hpp"
#include "reports/comparison_text.hpp"
#include "reports/matrix.hpp"
#include "reports/page.hpp"
#include "reports/summary_markdown.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/one_of.hpp"

namespace holdfast {
namespace {

template <typename Read>
auto read_twice(const std::string& text, Read read) {
  const auto value = read_json_text(text, "stored.json", read);
  const std::string once = to_json(value).dump(1);
  demand(to_json(read_json_text(once, "again.json", read)).dump(1) == once);
  return value;
}

void trial_verdict(const std::string& text) {
  read_twice(text, from_json<TrialVerdict>);
}

void run_verdict(const std::string& text) {
  const RunVerdict run = read_twice(text, from_json<RunVerdict>);
  const RunAssessment found = assess(run);
  const PageInput page{{}, found};
  demand(!html_page(page).empty());
  demand(!summary_markdown(page, Links::none).empty());
  demand(!matrix_text(found, true).empty());
}

void comparison(const std::string& text) {
  const Comparison all = read_twice(text, from_json<Comparison>);
  demand(!comparison_page(all).empty());
  demand(!comparison_text(all).empty());
}

void facts(const std::string& text) {
  const auto read = [](const std::string& from) {
    return read_trial_facts(MemoryFile(from.data(), from.size()).path());
  };
  const std::string once = to_json(read(text)).dump();
  demand(to_json(read(once)).dump() == once);
}

void result(const std::string& text) {
  read_twice(text, from_json<TrialResult>);
}

// Every refusal names the place.
void any_json(const std::string& text) {
  try {
    const nlohmann::json json = parse_json(text, "x.json");
    demand(parse_json(json.dump(), "x.json") == json);
  } catch (const BadInput& refused) {
    demand(std::string(refused.what()).rfind("x.json:", 0) == 0);
  }
  try {
    parse_json_text(text, "x.json");
  } catch (const BadInput& refused) {
    demand(std::string(refused.what()).rfind("x.json:", 0) == 0);
  }
}

constexpr Reader kReaders[] = {{'t', trial_verdict}, {'v', run_verdict}, {'c', comparison},
                               {'f', facts},         {'e', result},      {'j', any_json}};

}  // namespace
}  // namespace holdfast

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return holdfast::read_as_one_of(holdfast::kReaders, data, size);
}
