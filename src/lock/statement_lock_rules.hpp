// Notes in an annotated file of statements (statement_lock.hpp), one per line, and their tests on replies.
//
//   const LockFileNote note{7, "granted when", "affected > 0"};
//   read_reply_test(note, "my_lock.sql")        ReplyFact::affected, TestSign::greater, "0"
//
// Errors: BadInput with file, line and remedy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lock/statement_lock.hpp"
#include "servers/server_type.hpp"

namespace holdfast {

// "-- granted when: affected > 0"
struct LockFileNote {
  std::size_t line = 0;
  std::string key;
  std::string value;
};

std::string without_blanks_around(const std::string& text);

[[noreturn]] void refuse_lock_file(const std::string& path, std::size_t line, const std::string& what,
                                   const std::string& remedy);

// The note's value, which must be one of these words, or a number of milliseconds up to a day.
std::string read_word(const LockFileNote& note, const std::vector<std::string>& words, const std::string& path);
std::int64_t read_milliseconds(const LockFileNote& note, const std::string& path);

// "affected > 0", "value 2 = @owner", "reply = OK", "duplicate key"
ReplyTest read_reply_test(const LockFileNote& note, const std::string& path);

// "value", or "value 2": a column of the first row, counted from 1 in the file and from 0 here.
std::size_t read_reply_column(const LockFileNote& note, const std::string& text, const std::string& path);

// "version = value 2"
KeptValue read_kept_value(const LockFileNote& note, const std::string& path);

// Refuses a parameter that the operation does not have, and the client's clock if the lease is the server's. `lease`:
// the value of that note; `comment`: the comment prefix.
void check_parameters(const LockFile& file, const LockOperation& operation, const std::string& lease,
                      const std::string& comment);

// Refuses a lock whose acquire ignores the lease's length or end: trials, searches and comparisons choose the lease and
// judge the lock by it. `lease`: that note of the file; `form`: of its language.
void refuse_lease_of_its_own(const LockFile& file, const LockFileNote& lease, const StatementForm& form);

// Refuses a renewal whose reply nothing reads: its holder would never learn of a lost lease, which looks like a flaw of
// the lock, but is a line that the file lacks. `comment`: the comment prefix.
void refuse_renewal_without_result(const LockFile& file, const std::string& comment);

}  // namespace holdfast
