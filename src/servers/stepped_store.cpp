#include "servers/stepped_store.hpp"

namespace holdfast {
namespace {

std::string row_text(const std::vector<Field>& row) {
  std::string out;
  for (const auto& field : row) out += (out.empty() ? "" : ", ") + field.value_or("NULL");
  return "(" + out + ")";
}

}  // namespace

std::string answer_text(const Executed& executed) {
  const Reply& reply = executed.reply;
  if (executed.would_wait) return reply.ok() ? kWaitsForOwnLock : kWaitsForLock;
  if (!reply.ok()) return "error " + std::to_string(reply.error) + ": " + reply.message;
  if (!reply.rows.empty()) {
    std::string out;
    for (const auto& row : reply.rows) out += (out.empty() ? "" : " ") + row_text(row);
    return out;
  }
  if (executed.read) return "nothing";
  return reply.affected == 1 ? "1 change" : std::to_string(reply.affected) + " changes";
}

}  // namespace holdfast
