// Input from an adapter or its author: a line of its output, a request, a manifest, a command; and the file of the
// hosts that it runs on, and a host's report on its processes. The result is a clear refusal, or a value that survives
// a round trip.
//
//   cmake -S . -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DHOLDFAST_FUZZ=ON -DHOLDFAST_TESTS=OFF
//   ninja -C build/fuzz adapter_fuzz
//   build/fuzz/tests/fuzz/adapter_fuzz -max_len=8192 -max_total_time=600 FOLDER_OF_ITS_OWN tests/fuzz/corpus/adapter
//
// The first byte says which it is to be (kReaders).
#include <cstdint>
#include <string>

#include "adapter/adapter_message.hpp"
#include "adapter/command_words.hpp"
#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "artifact/shell_command.hpp"
#include "artifact/visible.hpp"
#include "hosts/host_list.hpp"
#include "hosts/remote_script.hpp"
#include "tests/fuzz/one_of.hpp"

namespace holdfast {
namespace {

template <typename Read>
void message(const std::string& line, const Read& read) {
  std::string once;
  try {
    once = to_line(read(line));
  } catch (const BadMessage& refused) {
    const std::string why = refused.what();
    demand(why.starts_with("not a message: ") && valid_utf8(why) == why);
    return;
  }
  try {
    demand(to_line(read(once)) == once);
  } catch (const BadMessage&) {
    demand(once.size() > kLongestMessage);  // escapes may have made it longer
  }
}

void answer(const std::string& line) {
  message(line, read_adapter_line);
}

void request(const std::string& line) {
  message(line, read_request_line);
}

void manifest(const std::string& text) {
  const auto once = canonical_json(read_manifest(text, "f/lock.json"));
  demand(canonical_json(read_manifest(once.dump(), "f/lock.json")) == once);
}

void command(const std::string& text) {
  const NamedCommand named = named_command(text);
  ShellCommand again;
  for (const std::string& word : named.words) again.word(word);
  demand(command_words(again.text()) == named.words);
}

void hosts(const std::string& text) {
  for (const HostPlace& host : read_hosts(text, "h.json")) demand(!host.run.empty() && !host.name.empty());
}

void group(const std::string& lines) {
  try {
    const RemoteGroup seen = read_group(lines, 12);
    demand(seen.ran_ns >= 0 && (seen.threads > 0 || !seen.stopped));
  } catch (const HarnessError& refused) {
    demand(std::string(refused.what()).find("/proc") != std::string::npos);
  }
}

constexpr Reader kReaders[] = {{'a', answer},  {'q', request}, {'m', manifest},
                               {'c', command}, {'h', hosts},   {'g', group}};

}  // namespace
}  // namespace holdfast

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return holdfast::read_as_one_of(holdfast::kReaders, data, size);
}
