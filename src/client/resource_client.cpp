#include "client/resource_client.hpp"

#include <utility>

namespace holdfast {
namespace {

// Unique in a trial, so that a row of the log belongs to one write.
std::int64_t unique_value(const ResourceWrite& write) {
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(write.client) + 1) << 40U | write.number);
}

}  // namespace

ResourceClient::ResourceClient(std::unique_ptr<StatementConnection> connection, bool fenced)
    : connection_(std::move(connection)), fenced_(fenced) {}

std::optional<std::int64_t> ResourceClient::read(const std::string& key, std::uint64_t token) {
  try {
    const Reply reply = connection_->run(fenced_ ? "read_fenced" : "read", {{"key", key}, {"token", token}});
    if (!reply.ok()) connection_->close();  // ends the transaction that the error left open
    if (!reply.ok() || reply.rows.empty()) return std::nullopt;
    return reply.number(0, 0);
  } catch (const StatementFailed&) {
    return std::nullopt;
  }
}

EventType ResourceClient::write(const ResourceWrite& write) {
  try {
    const Reply reply = connection_->run(fenced_ ? "write_fenced" : "write", {{"key", write.key},
                                                                              {"client", std::int64_t{write.client}},
                                                                              {"grant", write.grant},
                                                                              {"number", write.number},
                                                                              {"base", write.base},
                                                                              {"value", unique_value(write)},
                                                                              {"token", write.token}});
    if (reply.ok()) return reply.affected > 0 ? EventType::ok : EventType::fail;
    connection_->close();
    return EventType::fail;
  } catch (const StatementFailed& failed) {
    return failed.definite ? EventType::fail : EventType::info;
  }
}

}  // namespace holdfast
