#include "doctor/time_probe.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "artifact/error.hpp"
#include "lab/launch_lab.hpp"

namespace holdfast {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kSleep{30'000};
constexpr milliseconds kInexact{50};  // tolerance, including the program's own work
constexpr std::int64_t kSleepInLab_ms = 20'000;

}  // namespace

Examination probe_time(const std::string& folder) {
  std::filesystem::create_directories(folder);
  Examination out;
  out.part = "machine";
  out.name = "skipped time";
  LabOrder order{folder};
  order.part = "time-probe";
  order.time = TimeMode::skipped;
  const LabEnd end = launch_lab(order, {.limit_ms = kSleepInLab_ms});
  out.seconds = end.seconds;
  out.health = Health::unavailable;
  if (end.late) {
    out.says = fmt::format("a sleep of {} s had not ended after {} s", kSleep.count() / 1000, kSleepInLab_ms / 1000);
  } else if (end.exit_code != 0) {
    explain(out, end.last_words);
  } else {
    out.health = Health::ok;
    out.says = fmt::format("a lab with a sleep of {} s ended after {:.2f} s", kSleep.count() / 1000, end.seconds);
  }
  return out;
}

void run_time_probe() {
  const auto begin = steady_clock::now();
  std::this_thread::sleep_for(kSleep);
  const auto slept = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
  if (slept >= kSleep && slept <= kSleep + kInexact) return;
  throw HarnessError(fmt::format("virtual time: a sleep of {} ms took {} ms", kSleep.count(), slept.count()));
}

}  // namespace holdfast
