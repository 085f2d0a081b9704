// Any bytes as a mapping of spans, as lines of OTLP/JSON, or as a history of clocks that differ: a clear refusal, or
// events in order of time; a bound of the clocks' difference never makes a history that holds a violated one.
// libFuzzer, as check_fuzz:
//
//   build/fuzz/tests/fuzz/otlp_fuzz -max_len=8192 -max_total_time=600 FOLDER_OF_ITS_OWN tests/fuzz/corpus/otlp
//
// The first byte says which it is to be (kReaders); the rest is the file.
#include <string>

#include "checker/check.hpp"
#include "history/clock_error.hpp"
#include "history/open_history.hpp"
#include "history/otlp_spans.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/one_of.hpp"

namespace holdfast {
namespace {

void mapping(const std::string& text) {
  const OtlpMapping mapping = read_otlp_mapping(text, "m.json");
  demand(!mapping.key.empty() && !mapping.holder.empty());
}

void spans(const std::string& text) {
  OtlpSpans spans({});
  std::uint64_t line = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    spans.read(std::string_view(text).substr(from, to - from), ++line);
    from = to + 1;
  }
  std::int64_t last_ns = 0;
  for (; spans.front() != nullptr; spans.advance()) {
    const LoggedEvent& logged = *spans.front();
    demand(logged.event.time_ns >= last_ns && logged.position >= 1 && logged.position <= line);
    demand(!logged.line.process.text().empty());
    last_ns = logged.event.time_ns;
  }
}

void clocks(const std::string& text) {
  const MemoryFile file(text.data(), text.size());
  const TrialVerdict as_it_is = check_history(file.path(), "owner");
  for (const std::int64_t difference_ns : {1, 1'000'000}) {
    const auto source = open_history(file.path());
    if (!source->header().foreign || !source->timed()) return;
    ClockError bounded(*source, difference_ns);
    const TrialVerdict verdict = check_history(bounded, "owner");
    demand(verdict.judgement != Judgement::violated || as_it_is.judgement != Judgement::holds);
  }
}

constexpr Reader kReaders[] = {{'m', mapping}, {'s', spans}, {'c', clocks}};

}  // namespace
}  // namespace holdfast

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return holdfast::read_as_one_of(holdfast::kReaders, data, size);
}
