// Any bytes as a file in a foreign run folder, read as the commands read it: the run's order, its verdict, the result
// of a trial, a baseline. A clear refusal, or a value that survives a round trip; never a crash. libFuzzer, as
// check_fuzz:
//
//   build/fuzz/tests/fuzz/run_folder_fuzz -max_len=16384 -max_total_time=600 FOLDER_OF_ITS_OWN
//     tests/fuzz/corpus/run_folder
//
// The first byte selects the file (kReaders); the rest is its content. stored_fuzz also reads the parts of `run.json`
// and `result.json`, and needs less to be built.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "artifact/comparison.hpp"
#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"
#include "cli/output.hpp"
#include "cli/stored.hpp"
#include "compare/baseline.hpp"
#include "suite/stored_result.hpp"
#include "suite/trial_job.hpp"
#include "tests/fuzz/one_of.hpp"

namespace holdfast {
namespace {

// In memory, since it is written thousands of times a second.
class RunFolder {
 public:
  RunFolder() { demand(::mkdtemp(path_.data()) != nullptr); }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  ~RunFolder() { std::filesystem::remove_all(path_); }

  const std::string& with(const std::string& name, const std::string& text) {
    std::filesystem::remove_all(path_);
    const std::string file = path_ + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    write_text_file(file, text);
    return path_;
  }

 private:
  std::string path_ = "/dev/shm/holdfast-fuzz-XXXXXX";
};

RunFolder& here() {
  static RunFolder folder;
  return folder;
}

void order(const std::string& text) {
  const std::string folder = here().with("run.json", text);
  const RunManifest manifest = stored_manifest(folder);
  write_manifest(manifest, folder);
  const std::string once = read_text_file(folder + "/run.json");
  write_manifest(stored_manifest(folder), folder);
  demand(read_text_file(folder + "/run.json") == once);
  check_servers_of(folder, manifest.flags, manifest.directory, {});
  check_unchanged(folder, manifest, {});
}

void verdict(const std::string& text) {
  const std::string folder = here().with("verdict.json", text);
  const RunVerdict run = stored_run(folder);
  const RunAssessment found = assess(run);
  const FormatInput in = format_input(found, folder);
  for (const char* name : {"html", "junit", "summary"}) {
    try {
      format_text(in, name, "", 0);
    } catch (const BadInput& none) {
      demand(*none.what() != '\0');
    }
  }
}

void result(const std::string& text) {
  const std::string trial = trial_folder("get_lock", "pause", 1);
  const std::string folder = here().with(trial + "/result.json", text);
  auto stored = stored_result(folder, trial);
  demand(stored.has_value());
  check_result(folder, {}, *stored);
}

void baseline(const std::string& text) {
  const Baseline before = read_json_text(text, "baseline.json", read_baseline);
  Comparison now;
  now.cells.push_back({"get_lock", "quick/pause", {}, {}, {}});
  changes_since(before, now);
  check_baseline(before, {{"get_lock", "get_lock", {}}}, {});
}

constexpr Reader kReaders[] = {{'o', order}, {'v', verdict}, {'r', result}, {'b', baseline}};

}  // namespace
}  // namespace holdfast

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return holdfast::read_as_one_of(holdfast::kReaders, data, size);
}
