// How the explorer puts PostgreSQL's time where it wants it: functions of ours, in a schema that is found before the
// server's own, take the names of now() and its like, and answer what a setting of the session says. A column's default
// that calls one of them calls ours.
//
//   db.query(clock_functions());                        // once a database
//   db.query(kFindsOurClock);                           // each session
//   db.query(clock_setting(now_us, begun_us) + text);   // now() is the time at which the transaction began
//
// CURRENT_TIMESTAMP and its like are words of the language and no names: they cannot be replaced, and a lock that uses
// them cannot be explored.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast {

inline constexpr const char* kLockSchema = "explore";
inline constexpr const char* kFindsOurClock = "SET search_path = explore, holdfast, pg_catalog";

std::string clock_functions();
std::string clock_setting(std::int64_t now_us, std::int64_t begun_us);  // ends with "; "

// What the explorer reads from a lock's SQL before it runs it. They look at words, not at their meaning, and so say
// true too often, never too seldom of what is listed here (the source).

// It may come out otherwise at another time, the rows being the same.
bool may_read_pg_clock(const std::string& sql);
// One of the words of the language that stand for a time; empty: none.
std::string fixed_clock_word(const std::string& sql);
// It may tell one side of a whole second from the other.
bool may_cut_pg_seconds(const std::string& sql);
// It may leave something that does not show in the rows of its tables: a sequence, a setting, a table made on the way.
bool may_hide_pg_state(const std::string& sql);

}  // namespace holdfast
