// Any bytes on both sides of a connection that the relay reads: whatever they are, a wire reads on or gives up, and how
// they are cut makes no difference.
//
//   cmake -S . -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DHOLDFAST_FUZZ=ON -DHOLDFAST_TESTS=OFF
//   ninja -C build/fuzz wire_fuzz && build/fuzz/tests/fuzz/wire_fuzz -max_total_time=600 tests/fuzz/corpus/wire
//
// The first byte selects the protocol, in the order of their names (its remainder), and the length of the parts that
// come at once (its quotient); then, again and again, one byte selects the speaker (its lowest bit) and the number of
// bytes (the others, in fours), and the bytes follow.
#include <cstdint>
#include <string>
#include <vector>

#include "tests/relay/wire_reader.hpp"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto& all = protocols();
  const std::string protocol_name = all[data[0] % all.size()].name;
  const std::size_t part = 1 + data[0] / all.size();
  std::vector<Utterance> conversation;
  for (std::size_t at = 1; at < size;) {
    const bool by_client = (data[at] & 1U) != 0;
    const std::size_t length = std::min<std::size_t>(4 * std::size_t{data[at] / 2U}, size - at - 1);
    conversation.push_back({by_client, std::string(reinterpret_cast<const char*>(data) + at + 1, length)});
    at += 1 + length;
  }
  const std::string whole = told(protocol_name, conversation, "orders", [](std::size_t left) { return left; });
  const std::string cut = told(protocol_name, conversation, "orders", [part](std::size_t) { return part; });
  const std::string bytes = told(protocol_name, conversation, "orders", [](std::size_t) { return 1; });
  if (whole != cut || whole != bytes) __builtin_trap();
  return 0;
}
