#include "lock/unique_row.hpp"

namespace holdfast {
namespace {

constexpr Answer kReturnsNull{EventType::fail, Reason::other, {}};  // "return null"
constexpr std::uint64_t kMostInt = 2'147'483'647;

// FNV-1a, truncated to the range of INT.
std::int64_t id_of(const Claim& claim) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : claim.owner) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return static_cast<std::int64_t>((hash >> 20U) % kMostInt) + 1;
}

}  // namespace

Answer UniqueRow::acquire(Session& session, Claim& claim) {
  const Reply found = session.execute("select", {{"key", claim.key}});
  if (!found.rows.empty()) return Answer::busy();
  try {
    const Reply inserted = session.attempt("insert", {{"id", id_of(claim)}, {"key", claim.key}});
    if (inserted.duplicate_key()) return Answer::busy();
    if (inserted.conflict()) return Answer::conflict();
    return inserted.ok() ? Answer::granted() : kReturnsNull;
  } catch (const StatementFailed&) {
    return kReturnsNull;
  }
}

Answer UniqueRow::release(Session& session, Claim& claim) {
  const Reply r = session.execute("release", {{"id", id_of(claim)}});
  return r.affected > 0 ? Answer::done() : Answer::not_held();
}

}  // namespace holdfast
