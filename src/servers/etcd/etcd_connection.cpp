#include "servers/etcd/etcd_connection.hpp"

#include "servers/etcd/etcd_request.hpp"

namespace holdfast {

void EtcdConnection::connect() {
  if (id() != 0) return;
  try {
    get("/version");
  } catch (const StatementFailed& failed) {
    throw StatementFailed(true, Reason::unavailable, failed.error, std::string("connect: ") + failed.what());
  }
}

HttpAnswer EtcdConnection::get(const std::string& path) {
  return http_.ask({.method = "GET", .path = path, .headers = {}, .body = {}});
}

HttpAnswer EtcdConnection::post(const std::string& path, const std::string& body) {
  return http_.ask({.method = "POST", .path = path, .headers = {"Content-Type: application/json"}, .body = body});
}

Reply EtcdStatements::run(std::string_view statement, Params params) {
  const EtcdCommand command = commands_.bind(statement, params);
  const EtcdCall call = etcd_call(command);
  const HttpAnswer answer = connection_.post(call.path, call.body);
  return etcd_reply(command, answer.status, answer.body);
}

}  // namespace holdfast
