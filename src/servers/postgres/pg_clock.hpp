// Controls PostgreSQL's time for the explorer: functions in a schema that is searched before the server's own replace
// now() and similar ones, and return the time in a session setting. Column defaults that call one of them call the
// replacement.
//
//   db.query(clock_functions());                        // once per database
//   db.query(kFindsOurClock);                           // in each session
//   db.query(clock_setting(now_us, begun_us) + text);   // now() is the time at which the transaction began
//
// CURRENT_TIMESTAMP and similar ones are keywords, not names: they cannot be replaced, and a lock that uses them cannot
// be explored.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast {

inline constexpr const char* kLockSchema = "explore";
inline constexpr const char* kFindsOurClock = "SET search_path = explore, holdfast, pg_catalog";

std::string clock_functions();
std::string clock_setting(std::int64_t now_us, std::int64_t begun_us);  // ends with "; "

// Analyses of a lock's SQL for the explorer. Based on words, not their meaning, so they may return true unnecessarily,
// but never miss what is listed here (the source).

// Its result may differ at another time with equal rows.
bool may_read_pg_clock(const std::string& sql);
// A keyword that stands for a time; empty: none.
std::string fixed_clock_word(const std::string& sql);
// It may distinguish the two sides of a whole second.
bool may_cut_pg_seconds(const std::string& sql);
// It may leave state that is not in its tables' rows: a sequence, a setting, a temporary table.
bool may_hide_pg_state(const std::string& sql);

}  // namespace holdfast
