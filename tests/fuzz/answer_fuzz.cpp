// Answers of a foreign server: Redis's through holdfast's own reader, any server's URL.
//
//   cmake -S . -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DHOLDFAST_FUZZ=ON -DHOLDFAST_TESTS=OFF
//   ninja -C build/fuzz answer_fuzz && build/fuzz/tests/fuzz/answer_fuzz -max_total_time=600 tests/fuzz/corpus/answer
#include <algorithm>
#include <cstdint>
#include <string>

#include "artifact/error.hpp"
#include "servers/redis/redis_connection.hpp"
#include "servers/target.hpp"

using namespace holdfast;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  std::size_t at = 0;
  RedisReplies replies([&](char* buffer, std::size_t room) {
    if (at == bytes.size()) throw BadAnswer("it is over");
    const std::size_t n = std::min({room, bytes.size() - at, std::size_t{1} + bytes.size() / 3});
    bytes.copy(buffer, n, at);
    at += n;
    return n;
  });
  AnswerLimit limit(std::size_t{1} << 20U);
  try {
    const Reply reply = replies.next(limit);
    reply.evidence();
    reply.number(0, 0);
  } catch (const BadAnswer&) {
  } catch (const StatementFailed&) {
  }
  try {
    const std::string text = parse_target(bytes).text();
    if (parse_target(text).text() != text) __builtin_trap();
  } catch (const BadInput&) {
  }
  return 0;
}
