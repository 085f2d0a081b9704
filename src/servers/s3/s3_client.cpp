// Parts of S3 that need the client library.
#include "servers/s3/s3_connection.hpp"
#include "servers/s3/s3_lock_server.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kS3Timeout_ms = 2000;

std::unique_ptr<StatementConnection> connect_to_store(const StatementFile& file, const ClientAccess& access) {
  return std::make_unique<S3Statements>(s3_address(access.host, kS3Timeout_ms + access.wait_ms), S3File::parse(file));
}

}  // namespace

ServerType with_s3_client(ServerType type) {
  type.connect = connect_to_store;
  type.start = start_s3_service;
  type.library_missing = HttpConnection::library_missing;
  type.readiness = kS3Probe;
  return type;
}

}  // namespace holdfast
