#include "driver/lock_driver.hpp"

namespace holdfast {
namespace {

// Returns true for failures a lock has to expect: a conflict with other clients, or an error of the client's
// connection.
bool to_be_expected(const StatementFailed& failed) {
  return failed.kind == ErrorKind::duplicate || failed.kind == ErrorKind::conflict || failed.error == 0;
}

}  // namespace

// A definite failure says nothing about earlier statements of the operation: if one of them changed something, the
// operation may have taken effect. A conflict that the lock itself reports is definite.
Answer LockDriver::outcome_of(const StatementFailed& failed) {
  Answer out{failed.definite ? EventType::fail : EventType::info, failed.reason, {}};
  if (failed.definite && session_.take_changed()) out.type = EventType::info;
  why_ = failed.what();
  unexpected_ = failed.definite && !to_be_expected(failed);
  return out;
}

bool LockDriver::still_held(const Claim& claim) {
  try {
    return lock_->still_held(session_, claim);
  } catch (const StatementFailed&) {
    return false;
  }
}

}  // namespace holdfast
