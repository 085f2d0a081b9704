// A lock that is one annotated file of statements, my_lock.sql or my_lock.redis, and nothing else: no C++.
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
// docs/lock_file.md has the whole language. An operation (acquire, renew, release) is the statements that are `of` it,
// in the order of the file. After each the first rule whose test is met says how the operation ends, or that it goes
// on; where none is met it goes on. An acquire that comes to its end is busy, a renewal or a release whose statements
// say when they are done is not held.
//
// The file is a lock type like any other: sessions, statements, faults at statements, explore and evidence are the
// same. What an operation reads is forgotten when it ends, but for the token and the deadline, which are the claim's.
//
// Errors: BadInput with file, line and remedy; of what the server answers, as in any lock (Session).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lock/lock.hpp"

namespace holdfast {

// What is asked of a statement's reply: "affected > 0", "value 2 = @owner", "duplicate key".
enum class ReplyFact : std::uint8_t { always, duplicate, conflict, affected, rows, value, status };
enum class TestSign : std::uint8_t { equal, not_equal, less, at_most, greater, at_least };

struct ReplyTest {
  ReplyFact fact = ReplyFact::always;
  std::size_t column = 0;  // of the first row, from 0
  TestSign comparison = TestSign::equal;
  std::string against;        // a text or a number
  bool is_parameter = false;  // ... or the value of the parameter that it names
};

enum class StepEnd : std::uint8_t { granted, busy, done, not_held, conflict, next };

struct StepRule {
  StepEnd end = StepEnd::next;
  ReplyTest test;
};

// A value that is read, and is a parameter of the statements after it.
struct KeptValue {
  std::string name;
  std::size_t column = 0;
};

struct LockStep {
  std::string statement;
  std::size_t line = 0;
  std::vector<std::string> parameters;  // that it uses
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
  LockType type;  // what the header says, and what follows from the statements; without `make`
  LockDeadline deadline = LockDeadline::none;
  LockOperation acquire;
  LockOperation renew;
  LockOperation release;
};

inline constexpr std::size_t kLargestLockFile = std::size_t{64} << 10U;
inline constexpr std::size_t kMostKept = 4;

// `path`: its name ends with the language of its statements, and its stem is the lock's name.
LockFile read_lock_file(const std::string& text, const std::string& path);

// The parameters that a statement may use without anybody keeping them: "key", "owner", "ttl_ms", ...
const std::vector<std::string>& lock_parameters();

// A lock of the file; `file` is shared by all of them.
std::unique_ptr<Lock> make_statement_lock(std::shared_ptr<const LockFile> file);

}  // namespace holdfast
