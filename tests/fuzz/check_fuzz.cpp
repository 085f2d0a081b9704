// Any bytes as a history, in every form and under every model: a clear refusal or a verdict, never a crash, and no
// verdict without an event. libFuzzer; Clang only:
//
//   cmake -S . -B build/fuzz -G Ninja -DHOLDFAST_FUZZ=ON -DHOLDFAST_TESTS=OFF -DCMAKE_CXX_COMPILER=clang++-14
//   ninja -C build/fuzz check_fuzz
//   build/fuzz/tests/fuzz/check_fuzz -max_len=4096 -max_total_time=600 FOLDER_OF_ITS_OWN tests/fuzz/corpus
//
// The first byte chooses the model, the rest is the file. Besides, what the quick way through a line takes must be what
// the general parser takes (plain_line.hpp).
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "artifact/error.hpp"
#include "checker/check.hpp"
#include "history/history_export.hpp"
#include "history/open_history.hpp"
#include "history/plain_line.hpp"

namespace holdfast {
namespace {

constexpr const char* kModels[] = {"", "owner", "plain", "reentrant", "fenced", "lease"};

// The file lives in memory only.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size) : descriptor_(::memfd_create("history", 0)) {
    if (descriptor_ < 0 || ::write(descriptor_, data, size) != static_cast<ssize_t>(size)) std::abort();
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

void both_ways(const std::string& text) {
  Event quick, event;
  HistoryLine quick_line, line;
  if (!scan_plain_line(text, quick, quick_line)) return;
  try {
    parse_history_line(text, event, line);
  } catch (const BadInput&) {
    std::abort();
  }
  const bool same = quick.index == event.index && quick.time_ns == event.time_ns && quick.type == event.type &&
                    quick.op == event.op && quick.reason == event.reason && quick.token == event.token &&
                    quick.lease_ns == event.lease_ns && quick_line.process == line.process &&
                    quick_line.has_key == line.has_key && (!line.has_key || quick_line.key == line.key);
  if (!same) std::abort();
}

void judge(const std::string& path, const char* model) {
  try {
    const TrialVerdict verdict = check_history(path, model);
    if (verdict.judgement == Judgement::holds && verdict.measures.grants == 0) std::abort();
  } catch (const BadInput&) {
    // A clear refusal.
  }
}

void write_again(const std::string& path) {
  static std::FILE* const nowhere = std::fopen("/dev/null", "w");
  for (const ExportForm form : {ExportForm::edn, ExportForm::jsonl}) {
    try {
      export_history(*open_history(path), form, nowhere);
    } catch (const BadInput&) {
      return;
    }
  }
}

}  // namespace
}  // namespace holdfast

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace holdfast;
  if (size < 2) return 0;
  const MemoryFile file(data + 1, size - 1);
  judge(file.path(), kModels[data[0] % std::size(kModels)]);
  write_again(file.path());
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  both_ways(text.substr(0, text.find('\n')));
  return 0;
}
