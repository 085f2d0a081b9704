// Answers of a foreign server: Redis's through holdfast's own reader, an object store's, any server's URL.
//
//   cmake -S . -B build/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DHOLDFAST_FUZZ=ON -DHOLDFAST_TESTS=OFF
//   ninja -C build/fuzz answer_fuzz && build/fuzz/tests/fuzz/answer_fuzz -max_total_time=600 tests/fuzz/corpus/answer
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "artifact/error.hpp"
#include "servers/redis/redis_connection.hpp"
#include "servers/s3/s3_request.hpp"
#include "servers/target.hpp"

using namespace holdfast;

namespace {

// The first bytes select the method and the status; a line is the value of each header; the rest is the body.
void read_store_answer(const std::string& bytes) {
  if (bytes.size() < 2) return;
  const std::string method = std::array{"GET", "PUT", "DELETE"}[static_cast<unsigned char>(bytes[0]) % 3];
  const auto line_end = std::min(bytes.find('\n', 2), bytes.size());
  HttpAnswer answer{
      .status = 150 + 2 * static_cast<unsigned char>(bytes[1]), .body = bytes.substr(line_end), .headers = {}};
  for (const char* name : {"etag", "date", "x-amz-meta-expires"}) answer.headers[name] = bytes.substr(2, line_end - 2);
  try {
    const S3Command command{method, "/locks/a", {"If-Match: \"1\""}, "", s3_fields(method)};
    const Reply reply = s3_reply(command, answer);
    if (!reply.ok() && reply.affected != 0) __builtin_trap();
  } catch (const StatementFailed&) {
  }
  if (s3_error_text(bytes).size() > 500) __builtin_trap();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read_store_answer(bytes);
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
