// One connection to an object store that runs the requests of a lock's file by name (servers/http_connection.hpp has
// its rules). Each request is signed for the lab's only user.
#pragma once

#include <string>
#include <utility>

#include "servers/http_connection.hpp"
#include "servers/s3/s3_file.hpp"
#include "servers/s3/start_s3.hpp"
#include "store/session.hpp"

namespace holdfast {

HttpAddress s3_address(const std::string& host, std::int64_t timeout_ms);

class S3Statements : public StatementConnection {
 public:
  S3Statements(HttpAddress server, S3File commands) : connection_(std::move(server)), commands_(std::move(commands)) {}
  void connect() override;  // if necessary; lists the buckets
  Reply run(std::string_view statement, Params params) override;
  void close() override { connection_.close(); }
  std::uint64_t id() const override { return connection_.id(); }

 private:
  HttpConnection connection_;
  S3File commands_;
};

}  // namespace holdfast
