// Library preloaded into a server (LD_PRELOAD) if a plan has a fault of the server's clock. Readings of the wall clock
// are the kernel's plus the shift in the clock page (the file named by HOLDFAST_CLOCK). The library is embedded in the
// program.
//
// Deadlines on the wall clock are translated: the server computes them from the shifted clock, but the kernel compares
// them with its own. The remaining time is waited for on CLOCK_MONOTONIC, which is never changed here. Relative
// time-outs are not touched.
//
// A frozen clock stays at one time; deadlines on it are waited for as if it ran on from there.
//
// Limits: a wait that has begun does not see a later change of the clock, so the kernel ends it early or late. Programs
// that call the kernel or its vDSO without the C library (Go programs, static programs) are not reached; therefore the
// fault asks the server for its time as proof. Readings are system calls, about ten times slower than the vDSO. They
// never look up a symbol, because that may allocate, and an allocator that reads the time while it starts would
// recurse.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <ctime>

#include "preload/clock_page.hpp"

namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kFarthest_s = 4'000'000'000;  // later deadlines are treated as infinite

const holdfast::ClockPage* page = nullptr;

using CondClockWait = int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
using MutexClockLock = int (*)(pthread_mutex_t*, clockid_t, const timespec*);
using SemClockWait = int (*)(sem_t*, clockid_t, const timespec*);
using ClockSleep = int (*)(clockid_t, int, const timespec*, timespec*);

CondClockWait next_cond_clockwait = nullptr;
MutexClockLock next_mutex_clocklock = nullptr;
SemClockWait next_sem_clockwait = nullptr;
ClockSleep next_clock_nanosleep = nullptr;

template <typename Function>
Function next(Function& known, const char* name) {
  if (known == nullptr) known = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
  return known;
}

// Runs before the program and its other libraries, while there is one thread.
__attribute__((constructor)) void begin() {
  next(next_cond_clockwait, "pthread_cond_clockwait");
  next(next_mutex_clocklock, "pthread_mutex_clocklock");
  next(next_sem_clockwait, "sem_clockwait");
  next(next_clock_nanosleep, "clock_nanosleep");
  const char* file = std::getenv("HOLDFAST_CLOCK");
  const int fd = file == nullptr ? -1 : ::open(file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  void* memory = ::mmap(nullptr, sizeof(holdfast::ClockPage), PROT_READ, MAP_SHARED, fd, 0);
  ::close(fd);
  if (memory != MAP_FAILED) page = static_cast<const holdfast::ClockPage*>(memory);
}

int kernel_clock(clockid_t clock, timespec* out) {
  return static_cast<int>(::syscall(SYS_clock_gettime, clock, out));
}

std::int64_t kernel_ns(clockid_t clock) {
  timespec now{};
  kernel_clock(clock, &now);
  return now.tv_sec * kSecond_ns + now.tv_nsec;
}

timespec timespec_of(std::int64_t ns) {
  return {static_cast<time_t>(ns / kSecond_ns), static_cast<long>(ns % kSecond_ns)};
}

bool is_wall(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
}

holdfast::ClockShift shift() {
  return page == nullptr ? holdfast::ClockShift{} : holdfast::read_shift(*page);
}

std::int64_t wall_ns(clockid_t clock = CLOCK_REALTIME) {
  const holdfast::ClockShift now = shift();
  if (now.frozen_ns != 0) return now.frozen_ns;
  return kernel_ns(clock) + holdfast::ahead_ns(now, kernel_ns(CLOCK_MONOTONIC));
}

bool is_time(const timespec* at) {
  return at->tv_nsec >= 0 && at->tv_nsec < kSecond_ns;
}

// Translates a deadline on the shifted clock to CLOCK_MONOTONIC. A fast clock reaches it sooner.
timespec on_monotonic(const timespec& deadline) {
  if (deadline.tv_sec > kFarthest_s) return {kFarthest_s, 0};
  const std::int64_t left_ns = deadline.tv_sec * kSecond_ns + deadline.tv_nsec - wall_ns();
  const double rate = 1.0 + static_cast<double>(shift().drift_ppm) / 1e6;
  const std::int64_t at_ns =
      kernel_ns(CLOCK_MONOTONIC) + static_cast<std::int64_t>(static_cast<double>(left_ns) / rate);
  return timespec_of(at_ns > 0 ? at_ns : 0);
}

// Returns the clock of a condition variable's deadlines; glibc stores it in this bit (a test waits on both clocks).
clockid_t clock_of(const pthread_cond_t* cond) {
  constexpr unsigned kMonotonic = 2;
  return (__atomic_load_n(&cond->__data.__wrefs, __ATOMIC_RELAXED) & kMonotonic) != 0 ? CLOCK_MONOTONIC
                                                                                      : CLOCK_REALTIME;
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* out) noexcept {
  if (!is_wall(clock)) return kernel_clock(clock, out);
  *out = timespec_of(wall_ns(clock));
  return 0;
}

int gettimeofday(timeval* out, void* zone) noexcept {
  const std::int64_t ns = wall_ns();
  *out = {static_cast<time_t>(ns / kSecond_ns), static_cast<suseconds_t>(ns % kSecond_ns / 1000)};
  if (zone != nullptr) *static_cast<struct timezone*>(zone) = {0, 0};
  return 0;
}

time_t time(time_t* out) noexcept {
  const time_t seconds = static_cast<time_t>(wall_ns(CLOCK_REALTIME_COARSE) / kSecond_ns);
  if (out != nullptr) *out = seconds;
  return seconds;
}

int timespec_get(timespec* out, int base) noexcept {
  if (base != TIME_UTC) return 0;
  *out = timespec_of(wall_ns());
  return base;
}

int pthread_cond_clockwait(pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline) {
  const auto wait = next(next_cond_clockwait, "pthread_cond_clockwait");
  if (clock != CLOCK_REALTIME || !is_time(deadline)) return wait(cond, mutex, clock, deadline);
  const timespec at = on_monotonic(*deadline);
  return wait(cond, mutex, CLOCK_MONOTONIC, &at);
}

int pthread_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex, const timespec* deadline) {
  return pthread_cond_clockwait(cond, mutex, clock_of(cond), deadline);
}

int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline) noexcept {
  const auto lock = next(next_mutex_clocklock, "pthread_mutex_clocklock");
  if (clock != CLOCK_REALTIME || !is_time(deadline)) return lock(mutex, clock, deadline);
  const timespec at = on_monotonic(*deadline);
  return lock(mutex, CLOCK_MONOTONIC, &at);
}

int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) noexcept {
  return pthread_mutex_clocklock(mutex, CLOCK_REALTIME, deadline);
}

int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* deadline) {
  const auto wait = next(next_sem_clockwait, "sem_clockwait");
  if (clock != CLOCK_REALTIME || !is_time(deadline)) return wait(semaphore, clock, deadline);
  const timespec at = on_monotonic(*deadline);
  return wait(semaphore, CLOCK_MONOTONIC, &at);
}

int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  return sem_clockwait(semaphore, CLOCK_REALTIME, deadline);
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* wanted, timespec* left) {
  const auto sleep = next(next_clock_nanosleep, "clock_nanosleep");
  if (clock != CLOCK_REALTIME || (flags & TIMER_ABSTIME) == 0 || !is_time(wanted)) {
    return sleep(clock, flags, wanted, left);
  }
  const timespec at = on_monotonic(*wanted);
  return sleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, left);
}

}  // extern "C"
