#include "servers/mysql/mysql_errors.hpp"

namespace holdfast {
namespace {

ErrorKind sorted(int error) {
  switch (error) {
    case kDuplicateKey:
      return ErrorKind::duplicate;
    case kLockWaitTimeout:
    case kDeadlock:
    case kChangedSinceRead:
    case kNowaitRefused:
      return ErrorKind::conflict;
    case kNotServing:
      return ErrorKind::unavailable;
    default:
      return ErrorKind::unknown;
  }
}

}  // namespace

Reply mysql_refused(int error, const std::string& message) {
  return Reply::refused(sorted(error), error, message);
}

}  // namespace holdfast
