// Analyses a lock's SQL for the explorer: hidden state, time, counters, waits.
#pragma once

#include <cctype>
#include <cstdint>
#include <string>
#include <vector>

#include "servers/sql_words.hpp"

namespace holdfast {

// Characters of a word in a statement's text.
inline bool part_of_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// Returns true if a lock's SQL may leave state that is not in its tables' rows: temporary tables, session variables,
// numbers remembered by a session. Based on words; may return true unnecessarily, but never misses what is listed here
// (the source).
bool may_hide_state(const std::string& sql);

// Detects dependencies of a lock's SQL on time.
//
//   may_tell_whole_seconds("... expires_at <= NOW()")      true
//   may_tell_whole_seconds("... expires_at <= NOW(6)")     false
//   may_read_clock("DELETE ... WHERE owner = 'A'")         false
//
// Based on words, not their meaning, so they may return true unnecessarily, but never false wrongly.

// Returns true if it may distinguish the two sides of a whole second. Only then is the beginning of a second worth a
// jump of time: columns without fractions end leases there, and functions truncate there. Everything about time without
// all six digits counts, even a column named update_time.
bool may_tell_whole_seconds(const std::string& sql);

// Returns true if its result may differ at another time with equal rows. Source: the functions that MariaDB lists as
// returning the present date or time. Columns filled by a table itself are in its schema, not here.
bool may_read_clock(const std::string& sql);

// Returns true if a column is only ever counted up: every occurrence is `name = name + ...`. Then no statement's result
// depends on its value (it only has to change), so contents that differ only in it are equivalent.
//
//   only_counted("writes", {"UPDATE t SET owner = 'A', writes = writes + 1"})     true
//   only_counted("token", {"SELECT token FROM t WHERE token = 7"})                false
//
// Based on words: a name in a comment or text counts as an occurrence, and `SELECT *` names every column. So it may
// return false unnecessarily, but never true wrongly.
bool only_counted(const std::string& column, const std::vector<std::string>& statements);

// Removes an explicit wait from a statement, so that the wait can be simulated.
//
//   SqlWait w = without_wait("SELECT GET_LOCK('orders', 2)");   // "SELECT GET_LOCK('orders', 0)", 2 s
//   with_wait("SELECT GET_LOCK('orders', 2)", 60);              // "SELECT GET_LOCK('orders', 60)"
//
// Known: the time of GET_LOCK, and WAIT n of a locking read. Row locks wait according to the session's setting, which
// is not in the text. Throws Unavailable unless the time of GET_LOCK is a plain number from 0 on.
struct SqlWait {
  std::string text;
  std::int64_t wait_us = 0;  // 0: no wait requested
};

SqlWait without_wait(const std::string& sql);
std::string with_wait(const std::string& sql, int seconds);  // if it waits at all

}  // namespace holdfast
