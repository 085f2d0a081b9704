#include "servers/s3/s3_connection.hpp"

namespace holdfast {

HttpAddress s3_address(const std::string& host, std::int64_t timeout_ms) {
  return {.host = host,
          .port = kS3Port,
          .timeout_ms = timeout_ms,
          .signer = HttpSigner{.scope = "aws:amz:us-east-1:s3", .user = kS3User, .secret = kS3Secret}};
}

void S3Statements::connect() {
  if (connection_.id() != 0) return;
  try {
    connection_.ask(s3_call({.method = "GET", .path = "/", .headers = {}, .body = {}, .answers = {}}));
  } catch (const StatementFailed& failed) {
    throw StatementFailed(true, Reason::unavailable, failed.error, std::string("connect: ") + failed.what());
  }
}

Reply S3Statements::run(std::string_view statement, Params params) {
  const S3Command command = commands_.bind(statement, params);
  return s3_reply(command, connection_.ask(s3_call(command)));
}

}  // namespace holdfast
