// Any bytes as a history, in every form and under every model: a clear refusal or a verdict, never a crash, and no
// verdict without an event. Reading to the first violation finds one wherever reading on does, and what was exported is
// judged as what it was exported from. libFuzzer; Clang only:
//
//   cmake -S . -B build/fuzz -G Ninja -DHOLDFAST_FUZZ=ON -DHOLDFAST_TESTS=OFF -DCMAKE_CXX_COMPILER=clang++-14
//   ninja -C build/fuzz check_fuzz
//   build/fuzz/tests/fuzz/check_fuzz -max_len=4096 -max_total_time=600 FOLDER_OF_ITS_OWN tests/fuzz/corpus/histories
//
// The first byte chooses the model, the rest is the file. Besides, what the quick way through a line takes must be what
// the general parser takes (plain_line.hpp).
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "artifact/error.hpp"
#include "artifact/verdict.hpp"
#include "checker/check.hpp"
#include "history/history_export.hpp"
#include "history/open_history.hpp"
#include "history/plain_line.hpp"
#include "history/usual_line.hpp"
#include "tests/fuzz/memory_file.hpp"

namespace holdfast {
namespace {

constexpr const char* kModels[] = {"", "owner", "plain", "reentrant", "fenced", "lease", "read_write", "semaphore:2"};

bool same(const Event& quick, const HistoryLine& quick_line, const Event& event, const HistoryLine& line) {
  return quick.index == event.index && quick.time_ns == event.time_ns && quick.type == event.type &&
         quick.op == event.op && quick.reason == event.reason && quick.token == event.token &&
         quick.lease_ns == event.lease_ns && quick.shared == event.shared && quick.background == event.background &&
         quick.statements.size() == event.statements.size() && quick_line.process.text() == line.process.text() &&
         quick_line.has_key == line.has_key && quick_line.has_time == line.has_time &&
         (!line.has_time || quick_line.time_form == line.time_form) &&
         (!line.has_key || quick_line.key.text() == line.key.text());
}

void both_ways(const std::string& text) {
  Event quick, usual, event;
  HistoryLine quick_line, usual_line, line;
  const std::string padded = text + std::string(kLinePadding, ' ');
  const std::string_view there = std::string_view(padded).substr(0, text.size());
  if (!scan_plain_line(there, quick, quick_line)) return;
  UsualLine order;
  order.learn(there);
  const bool is_usual = order.scan(there, usual, usual_line);
  try {
    parse_history_line(text, event, line);
  } catch (const BadInput&) {
    std::abort();
  }
  if (!same(quick, quick_line, event, line)) std::abort();
  if (is_usual && !same(usual, usual_line, event, line)) std::abort();
}

// Judgements by name; nothing if the history was refused.
using Judged = std::map<std::string, Judgement>;

Judged judge(const std::string& path, const char* model) {
  try {
    const TrialVerdict verdict = check_history(path, model);
    if (verdict.judgement == Judgement::holds && verdict.measures.grants == 0) std::abort();
    if (to_json(verdict).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).empty()) std::abort();
    const TrialVerdict first = check_history(path, model, CheckScope::first_violation);
    if ((first.judgement == Judgement::violated) != (verdict.judgement == Judgement::violated)) std::abort();
    Judged judged{{"", verdict.judgement}};
    for (const PropertyVerdict& property : verdict.properties) judged[property.property] = property.judgement;
    return judged;
  } catch (const BadInput&) {
    return {};  // a clear refusal
  }
}

void export_to(const std::string& path, ExportForm form, std::FILE* out) {
  try {
    export_history(*open_history(path), form, out);
  } catch (const BadInput&) {
    // Earlier events have been written.
  }
}

// Lines give leases in milliseconds, journals in nanoseconds.
bool lines_can_tell(const std::string& path) {
  const auto source = open_history(path);
  for (Event event; source->next(event);) {
    if (event.lease_ns.value_or(0) % 1'000'000 != 0) return false;
  }
  return true;
}

void write_again(const std::string& path, const char* model, const Judged& judged) {
  static std::FILE* const nowhere = std::fopen("/dev/null", "w");
  export_to(path, ExportForm::edn, nowhere);
  if (judged.empty() || !lines_can_tell(path)) return;
  const MemoryFile again(nullptr, 0);
  std::FILE* const out = std::fopen(again.path().c_str(), "w");
  if (out == nullptr) std::abort();
  export_to(path, ExportForm::jsonl, out);
  std::fclose(out);
  if (judge(again.path(), model) != judged) std::abort();
}

}  // namespace
}  // namespace holdfast

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace holdfast;
  if (size < 2) return 0;
  const MemoryFile file(data + 1, size - 1);
  const char* const model = kModels[data[0] % std::size(kModels)];
  write_again(file.path(), model, judge(file.path(), model));
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  both_ways(text.substr(0, text.find('\n')));
  return 0;
}
