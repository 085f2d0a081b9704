// Error numbers of MySQL and its forks that matter here, and their kind for a lock. Source: MySQL 8.0 Error Message
// Reference; MariaDB Error Code Reference.
#pragma once

#include "store/session.hpp"

namespace holdfast {

// innodb_snapshot_isolation: a row that the transaction has read was changed
inline constexpr int kChangedSinceRead = 1020;
inline constexpr int kNotServing = 1047;  // a node of a cluster without a majority: nothing was done
inline constexpr int kDuplicateKey = 1062;
inline constexpr int kNoSuchThread = 1094;
inline constexpr int kNoSuchTable = 1146;
inline constexpr int kErrorInCommit = 1180;  // the commit failed, or its result is unknown
inline constexpr int kLockWaitTimeout = 1205;
inline constexpr int kDeadlock = 1213;
inline constexpr int kNowaitRefused = 3572;

// Reply for a statement that the server answered with this error.
Reply mysql_refused(int error, const std::string& message);

}  // namespace holdfast
