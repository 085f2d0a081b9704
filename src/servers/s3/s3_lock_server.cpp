#include "servers/s3/s3_lock_server.hpp"

#include "artifact/error.hpp"
#include "lab/network.hpp"
#include "servers/s3/s3_connection.hpp"
#include "servers/s3/s3_request.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kAskStore_ms = 5'000;
constexpr std::int64_t kSecond_in_ns = 1'000'000'000;
constexpr const char* kBucket = "/locks";
constexpr const char* kCanaryObject = "/locks/holdfast_canary";

std::string s3_log(const ServerConfig& config) {
  return config.folder + "/s3.log";
}

HttpAnswer ask_store(const std::string& method, const std::string& path, const std::string& body = "") {
  HttpConnection store(s3_address(kServerAddresses.at(0), kAskStore_ms));
  return store.ask(s3_call({.method = method, .path = path, .headers = {}, .body = body, .answers = {}}));
}

void must_be_done(const std::string& what, const HttpAnswer& answer) {
  if (answer.status == 200) return;
  throw HarnessError(what + ": HTTP status " + std::to_string(answer.status) + " " + s3_error_text(answer.body));
}

}  // namespace

S3Server::S3Server(const ServerConfig& config)
    : LockServer([config] {
        return start_s3({config.place_of_data() + "/s3", s3_log(config), config.networks.at(0)});
      }),
      log_(s3_log(config)) {}

void S3Server::prepare(const StatementFile&) {
  process().when_started(
      [this](Process& process) { wait_for_answer(kServerAddresses.at(0), kS3Probe, process, log_, kServerStart_ms); });
  try {
    must_be_done("the bucket cannot be created", ask_store("PUT", kBucket));
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the bucket cannot be created: ") + failed.what());
  }
}

std::string S3Server::version() {
  return s3_program().title;
}

std::string S3Server::cannot_end_connections() const {
  return "an object store cannot end a client's connection, and no lock depends on one";
}

void S3Server::end_connection(std::uint64_t, std::uint32_t) {
  throw HarnessError(cannot_end_connections());
}

bool S3Server::connection_alive(std::uint64_t, std::uint32_t) {
  throw HarnessError(cannot_end_connections());
}

Durability S3Server::durability() const {
  return s3_program().keeps ? Durability::kept : Durability::may_be_lost;
}

void S3Server::leave_canary(std::int64_t n) {
  try {
    must_be_done("the canary cannot be written", ask_store("PUT", kCanaryObject, std::to_string(n)));
  } catch (const StatementFailed& failed) {
    throw HarnessError(std::string("the canary cannot be written: ") + failed.what());
  }
}

std::optional<bool> S3Server::canary_kept(std::int64_t n) {
  try {
    const HttpAnswer answer = ask_store("GET", kCanaryObject);
    if (answer.status != 200 && answer.status != 404) return std::nullopt;
    return answer.status == 200 && answer.body == std::to_string(n);
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

std::optional<ServerTime> S3Server::clock() {
  try {
    ServerTime out;
    out.asked_ns = host_wall_ns();
    const HttpAnswer answer = ask_store("GET", kCanaryObject);
    out.answered_ns = host_wall_ns();
    const std::int64_t date_s = http_date_s(answer.header("date"));
    if (date_s < 0) throw HarnessError("the server's clock cannot be read: its answer has no date");
    // fasthttp, versitygw's library, renews the date once a second: it may be a second old, besides its truncation.
    out.server_ns = date_s * kSecond_in_ns + kSecond_in_ns;
    out.tick_ns = kSecond_in_ns;
    return out;
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

std::unique_ptr<LockServer> start_s3_service(const ServerConfig& config) {
  return std::make_unique<S3Server>(config);
}

}  // namespace holdfast
