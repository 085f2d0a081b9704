// What the explorer reads from a lock's SQL before it runs it: hidden state, time, counters, waits.
#pragma once

#include <cctype>
#include <cstdint>
#include <string>
#include <vector>

#include "servers/sql_words.hpp"

namespace holdfast {

// What stands in a statement's text, letter by letter.
inline bool part_of_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

// Whether a lock's SQL may leave something that does not show in the rows of its tables: tables made on the way,
// variables of a session, numbers that a session remembers. Looks at words, and says true too often, never too seldom
// of what is listed here (the source).
bool may_hide_state(const std::string& sql);

// What a lock's SQL may have to do with time.
//
//   may_tell_whole_seconds("... expires_at <= NOW()")      true
//   may_tell_whole_seconds("... expires_at <= NOW(6)")     false
//   may_read_clock("DELETE ... WHERE owner = 'A'")         false
//
// They look at words, not at their meaning, and so say true too often, never too seldom.

// Whether it may tell one side of a whole second from the other. Only then is the moment at which a second begins worth
// a jump of time: columns without fractions end leases there, and functions cut there. What has to do with time and is
// not written with all six digits counts, a column named update_time too.
bool may_tell_whole_seconds(const std::string& sql);

// Whether it may come out otherwise at another time, the rows being the same. Source: the functions that MariaDB lists
// as giving the present date or time. What a table fills in by itself is in its schema, not here.
bool may_read_clock(const std::string& sql);

// Whether a column is only ever counted up: every place that names it is `name = name + ...`. No statement's outcome
// can then depend on its value (that it changes is all it is there for), so two contents that differ in it go on alike.
//
//   only_counted("writes", {"UPDATE t SET owner = 'A', writes = writes + 1"})     true
//   only_counted("token", {"SELECT token FROM t WHERE token = 7"})                false
//
// It looks at words: a name in a comment or a text counts as a place too, and `SELECT *` names every column. So it says
// false too often, never too seldom.
bool only_counted(const std::string& column, const std::vector<std::string>& statements);

// What a statement would wait for at the server by its own wish, taken out of it, so that the wait can be simulated.
//
//   SqlWait w = without_wait("SELECT GET_LOCK('orders', 2)");   // "SELECT GET_LOCK('orders', 0)", 2 s
//   with_wait("SELECT GET_LOCK('orders', 2)", 60);              // "SELECT GET_LOCK('orders', 60)"
//
// Known: the time of GET_LOCK, and WAIT n of a locking read. Row locks wait for as long as the session's setting says,
// which is not in the text. Throws Unavailable where the time of GET_LOCK is no plain number from 0 on.
struct SqlWait {
  std::string text;
  std::int64_t wait_us = 0;  // 0: it asks for none
};

SqlWait without_wait(const std::string& sql);
std::string with_wait(const std::string& sql, int seconds);  // where it waits at all

}  // namespace holdfast
