#include "virtual_time/time_record.hpp"

#include <sys/resource.h>

#include "artifact/json_reader.hpp"
#include "artifact/units.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostOfRecord = std::size_t{1} << 20;  // bytes

double seconds(std::int64_t ns) {
  return static_cast<double>(ns) / static_cast<double>(kSecond_ns);
}

double milliseconds(std::int64_t ns) {
  return static_cast<double>(ns) / static_cast<double>(kMillisecond_ns);
}

double own_processor_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto part = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return part(used.ru_utime) + part(used.ru_stime);
}

std::vector<std::string> doubts_of(const Timekeeper& keeper) {
  std::vector<std::string> out;
  for (const auto& program : keeper.without_clock()) out.push_back("without the lab's clock: " + program);
  const TimeSeen& seen = keeper.seen();
  if (seen.most_early_ns > kMostEarlyEnd_ns) {
    out.push_back("a wait ended " + std::to_string(seen.most_early_ns / kMillisecond_ns) + " ms early");
  }
  return out;
}

}  // namespace

const JsonForm<TimeRecord>& TimeRecord::form() {
  static const JsonForm<TimeRecord> kForm{
      "time",
      "record of the time skipped in a trial",
      {field("virtual_seconds", &TimeRecord::virtual_seconds), field("real_seconds", &TimeRecord::real_seconds),
       field("keeper_seconds", &TimeRecord::keeper_seconds), field("skips", &TimeRecord::skips),
       field("wakes", &TimeRecord::wakes), field("early_ends", &TimeRecord::early_ends),
       field("most_early_ms", &TimeRecord::most_early_ms), field("most_late_ms", &TimeRecord::most_late_ms),
       field("worked_seconds", &TimeRecord::worked_seconds), field("host_seconds", &TimeRecord::host_seconds),
       field("doubts", &TimeRecord::doubts)}};
  return kForm;
}

TimeRecord read_time_record(const InputFile& file) {
  return read_json_text(read_text_file(file, kMostOfRecord), file.path(), from_json<TimeRecord>);
}

TimeRecord time_record(const Timekeeper& keeper, std::int64_t virtual_ns, std::int64_t real_ns) {
  const TimeSeen& seen = keeper.seen();
  TimeRecord out;
  out.virtual_seconds = seconds(virtual_ns);
  out.real_seconds = seconds(real_ns);
  out.keeper_seconds = own_processor_seconds();
  out.skips = seen.skips;
  out.wakes = seen.wakes;
  out.early_ends = static_cast<std::int64_t>(seen.early_ends);
  out.most_early_ms = milliseconds(seen.most_early_ns);
  out.most_late_ms = milliseconds(seen.most_late_ns);
  out.worked_seconds = seconds(keeper.worked_ns());
  out.host_seconds = seconds(seen.in_flight_ns);
  out.doubts = doubts_of(keeper);
  return out;
}

}  // namespace holdfast
