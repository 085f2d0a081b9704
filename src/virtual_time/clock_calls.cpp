#include "virtual_time/clock_calls.hpp"

#include <sys/syscall.h>
#include <sys/time.h>
#include <cerrno>
#include <ctime>

#include "artifact/units.hpp"
#include "virtual_time/older_calls.hpp"
#include "virtual_time/program_memory.hpp"

namespace holdfast {

bool reads_clock(const HeldCall& call) {
  return call.number == SYS_clock_gettime || call.number == SYS_gettimeofday || call.number == older_calls::kTime;
}

void answer_clock(const HeldCalls& calls, const HeldCall& call, LabClock& clock) {
  const bool is_wall = call.number != SYS_clock_gettime || is_wall_clock(call.arguments[0]);
  const std::int64_t ns = clock.read_ns() + (is_wall ? clock.wall_ahead_ns() : 0);
  const std::int64_t seconds = ns / kSecond_ns;
  bool written = true;
  if (call.number == SYS_clock_gettime) {
    written = put_value(call.tid, call.arguments[1], timespec{seconds, ns % kSecond_ns});
  } else if (call.number == SYS_gettimeofday) {
    written = put_value(call.tid, call.arguments[0], timeval{seconds, ns % kSecond_ns / 1000});
  } else {
    written = put_value(call.tid, call.arguments[0], static_cast<time_t>(seconds));
  }
  if (!written) {
    calls.fail(call, EFAULT);
  } else {
    calls.answer(call, call.number == older_calls::kTime ? seconds : 0);
  }
}

}  // namespace holdfast
