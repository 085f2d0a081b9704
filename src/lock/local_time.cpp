#include "lock/local_time.hpp"

#include <fmt/chrono.h>

#include <ctime>
#include <iomanip>
#include <sstream>

#include "artifact/units.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kWholeSeconds = sizeof("2030-01-01 12:00:00") - 1;  // characters

}  // namespace

std::int64_t local_us(Session& session) {
  return session.now_ns() / 1000 + session.zone_s() * kSecond_us;
}

std::string datetime_text(std::int64_t us) {
  const std::time_t seconds = us / kSecond_us;
  return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:06}", fmt::gmtime(seconds), us % kSecond_us);
}

std::int64_t us_of_datetime(const std::string& text) {
  std::istringstream in(text);
  std::tm time{};
  in >> std::get_time(&time, "%Y-%m-%d %H:%M:%S");
  if (in.fail() || text.size() < kWholeSeconds) {
    throw StatementFailed(true, Reason::other, 0, "not a date and time: '" + text + "'");
  }
  std::string fraction;
  if (in.peek() == '.') in.ignore() >> fraction;
  fraction.resize(6, '0');
  return static_cast<std::int64_t>(::timegm(&time)) * kSecond_us + std::stoll(fraction);
}

}  // namespace holdfast
