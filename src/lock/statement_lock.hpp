// A lock defined by one annotated file of statements, my_lock.sql or my_lock.redis, without C++.
//
//   -- lease: server
//
//   -- name: schema
//   CREATE TABLE my_lock (lock_key VARCHAR(64) PRIMARY KEY, owner VARCHAR(64), ...);
//
//   -- name: acquire
//   -- granted when: affected > 0
//   -- busy when: duplicate key
//   INSERT INTO my_lock VALUES (@key, @owner, NOW(6) + INTERVAL @ttl_us MICROSECOND);
//
//   -- name: release
//   -- done when: affected > 0
//   DELETE FROM my_lock WHERE lock_key = @key AND owner = @owner;
//
// docs/lock_file.md describes the whole language. An operation (acquire, renew, release) consists of the statements
// that are `of` it, in file order. After each, the first rule with a true test decides how the operation ends, or that
// it continues; without one it continues. An acquire that reaches its end is busy; a renewal or release that has `done
// when` rules is not held.
//
// The file is an ordinary lock type: sessions, statements, faults at statements, explore and evidence are the same.
// Values read in an operation are dropped at its end, except the token and the deadline, which belong to the claim.
//
// Errors: BadInput with file, line and remedy; for the server's answers, as in any lock (Session).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lock/lock.hpp"

namespace holdfast {

// A test on a statement's reply: "affected > 0", "value 2 = @owner", "duplicate key".
enum class ReplyFact : std::uint8_t { always, duplicate, conflict, affected, rows, value, status };
enum class TestSign : std::uint8_t { equal, not_equal, less, at_most, greater, at_least };

struct ReplyTest {
  ReplyFact fact = ReplyFact::always;
  std::size_t column = 0;  // of the first row, from 0
  TestSign comparison = TestSign::equal;
  std::string against;        // a text or a number
  bool is_parameter = false;  // `value` is the name of a parameter to compare with
};

enum class StepEnd : std::uint8_t { granted, busy, done, not_held, conflict, next };

struct StepRule {
  StepEnd end = StepEnd::next;
  ReplyTest test;
};

// A value read from a reply, available as a parameter of later statements.
struct KeptValue {
  std::string name;
  std::size_t column = 0;
};

struct LockStep {
  std::string statement;
  std::size_t line = 0;
  std::vector<std::string> parameters;  // used by the statement
  std::vector<StepRule> rules;
  std::vector<KeptValue> kept;
  bool has_token = false;
  std::size_t token_column = 0;
};

struct LockOperation {
  std::vector<LockStep> steps;
  bool in_transaction = false;  // between the statements `begin` and `commit`
};

enum class LockDeadline : std::uint8_t { none, steady, wall };

struct LockFile {
  std::string path;
  std::string name;  // the file's stem
  std::string text;
  std::string about;
  std::string instead;
  LockType type;  // from the header and the statements; without `make`
  LockDeadline deadline = LockDeadline::none;
  LockOperation acquire;
  LockOperation renew;
  LockOperation release;
};

inline constexpr std::size_t kLargestLockFile = std::size_t{64} << 10U;
inline constexpr std::size_t kMostKept = 4;

// `path`: the extension is the language of the statements, the stem the lock's name.
LockFile read_lock_file(const std::string& text, const std::string& path);

// Parameters that are always available: "key", "owner", "ttl_ms", ...
const std::vector<std::string>& lock_parameters();

// Makes a lock from the file; all locks share `file`.
std::unique_ptr<Lock> make_statement_lock(std::shared_ptr<const LockFile> file);

}  // namespace holdfast
