// The lock's service is an object store: one server, with the bucket `locks`.
#pragma once

#include <memory>
#include <string>

#include "servers/lock_server.hpp"
#include "servers/s3/start_s3.hpp"

namespace holdfast {

class S3Server : public LockServer {
 public:
  explicit S3Server(const ServerConfig& config);
  void prepare(const StatementFile& statements) override;
  std::string version() override;
  ReadinessProbe readiness() const override { return kS3Probe; }

  // A store has no connections that another process could end.
  std::string cannot_end_connections() const override;
  void end_connection(std::uint64_t connection, std::uint32_t server) override;
  bool connection_alive(std::uint64_t connection, std::uint32_t server) override;

  Durability durability() const override;  // versitygw writes files and syncs none; moto has everything in memory
  void leave_canary(std::int64_t n) override;
  std::optional<bool> canary_kept(std::int64_t n) override;
  std::optional<ServerTime> clock() override;  // with a resolution of a second: the date of its answer

 private:
  std::string log_;
};

std::unique_ptr<LockServer> start_s3_service(const ServerConfig& config);

// Adds what needs the client library; without it cmake/OptionalServer.cmake provides a replacement.
struct ServerType;
ServerType with_s3_client(ServerType type);

}  // namespace holdfast
