#include "servers/postgres/pg_clock.hpp"

#include <fmt/chrono.h>

#include <ctime>
#include <string>
#include <vector>

#include "artifact/pattern.hpp"
#include "artifact/units.hpp"

namespace holdfast {
namespace {

std::string instant_text(std::int64_t us) {
  return fmt::format("'{:%Y-%m-%d %H:%M:%S}.{:06}+00'", fmt::gmtime(static_cast<std::time_t>(us / kSecond_us)),
                     us % kSecond_us);
}

std::string clock_function(const char* name, const char* setting) {
  return std::string("CREATE FUNCTION holdfast.") + name + "() RETURNS timestamptz LANGUAGE sql STABLE AS $$ SELECT " +
         "current_setting('holdfast." + setting + "')::timestamptz $$; ";
}

bool finds(const std::string& sql, const char* pattern) {
  return Pattern(pattern, Pattern::Case::ignored).in(sql);
}

}  // namespace

std::string clock_functions() {
  return "CREATE SCHEMA holdfast; " + clock_function("now", "begun") +
         clock_function("transaction_timestamp", "begun") + clock_function("statement_timestamp", "now") +
         clock_function("clock_timestamp", "now");
}

std::string clock_setting(std::int64_t now_us, std::int64_t begun_us) {
  return "SET holdfast.now = " + instant_text(now_us) + "; SET holdfast.begun = " + instant_text(begun_us) + "; ";
}

bool may_read_pg_clock(const std::string& sql) {
  return finds(sql, R"(\b(now|\w+_timestamp|timeofday)\s*\(|'(now|today|tomorrow|yesterday)')");
}

std::string fixed_clock_word(const std::string& sql) {
  static const Pattern words(R"(\b(CURRENT_(TIMESTAMP|DATE|TIME)|LOCALTIME(STAMP)?)\b|\btimeofday\s*\(|pg_catalog\.|)"
                             R"('(now|today|tomorrow|yesterday)')",
                             Pattern::Case::ignored);
  const std::vector<std::string> found = words.places(sql);
  return found.empty() ? "" : found.front();
}

bool may_cut_pg_seconds(const std::string& sql) {
  return finds(sql, R"(\b(date_trunc|extract|date_part|to_char|age|date_bin)\s*\()") ||
         finds(sql, R"(::\s*(date|time)\b|\btime(stamp|stamptz)?\s*\()");
}

bool may_hide_pg_state(const std::string& sql) {
  return finds(sql, R"((^|;)\s*(CREATE|ALTER|DROP|TRUNCATE|LOCK|CALL|PREPARE|EXECUTE|SET|RESET)\b)") ||
         finds(sql, R"((^|;)\s*(LISTEN|NOTIFY|DO|COPY)\b|\bTEMP(ORARY)?\b)") ||
         finds(sql, R"(\b(nextval|currval|lastval|setval|set_config|pg_advisory_unlock_all|txid_\w+|random)\s*\()");
}

}  // namespace holdfast
