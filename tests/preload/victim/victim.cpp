// Reads clocks and waits for deadlines as a server does, and says what it saw, one line for each line of its input:
//   clocks                 every clock: name and nanoseconds
//   waits MILLISECONDS     every kind of wait with a deadline so far ahead: name and how long it took, in nanoseconds
//   steady_waits ...       the same, with deadlines on the monotonic clock
#include <pthread.h>
#include <semaphore.h>
#include <sys/time.h>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <ctime>

namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;

std::int64_t ns(const timespec& t) {
  return t.tv_sec * kSecond_ns + t.tv_nsec;
}

std::int64_t now_ns(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return ns(now);
}

timespec after(clockid_t clock, std::int64_t ms) {
  const std::int64_t at = now_ns(clock) + ms * 1'000'000;
  return {at / kSecond_ns, at % kSecond_ns};
}

void say(const char* name, std::int64_t value) {
  std::printf("%s=%" PRId64 " ", name, value);
}

void clocks() {
  timeval day{};
  ::gettimeofday(&day, nullptr);
  timespec utc{};
  ::timespec_get(&utc, TIME_UTC);
  say("monotonic", now_ns(CLOCK_MONOTONIC));
  say("realtime", now_ns(CLOCK_REALTIME));
  say("coarse", now_ns(CLOCK_REALTIME_COARSE));
  say("gettimeofday", day.tv_sec * kSecond_ns + day.tv_usec * 1000);
  say("time", ::time(nullptr) * kSecond_ns);
  say("timespec_get", ns(utc));
}

template <typename Wait>
void timed(const char* name, const Wait& wait) {
  const std::int64_t begin_ns = now_ns(CLOCK_MONOTONIC);
  wait();
  say(name, now_ns(CLOCK_MONOTONIC) - begin_ns);
}

void cond_wait(clockid_t clock, std::int64_t ms, bool name_clock) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_condattr_t own;
  ::pthread_condattr_init(&own);
  if (!name_clock) ::pthread_condattr_setclock(&own, clock);
  pthread_cond_t cond;
  ::pthread_cond_init(&cond, &own);
  const timespec at = after(clock, ms);
  ::pthread_mutex_lock(&mutex);
  while ((name_clock ? ::pthread_cond_clockwait(&cond, &mutex, clock, &at)
                     : ::pthread_cond_timedwait(&cond, &mutex, &at)) == 0) {
  }
  ::pthread_mutex_unlock(&mutex);
}

void lock_taken(pthread_mutex_t& mutex, const timespec& at) {
  struct Attempt {
    pthread_mutex_t& mutex;
    const timespec& at;
  } attempt{mutex, at};
  pthread_t other;
  ::pthread_create(
      &other, nullptr,
      [](void* raw) -> void* {
        auto& mine = *static_cast<Attempt*>(raw);
        if (::pthread_mutex_timedlock(&mine.mutex, &mine.at) == 0) ::pthread_mutex_unlock(&mine.mutex);
        return nullptr;
      },
      &attempt);
  ::pthread_join(other, nullptr);
}

void steady_waits(std::int64_t ms) {
  timed("cond_monotonic", [&] { cond_wait(CLOCK_MONOTONIC, ms, false); });
  timed("cond_clockwait_monotonic", [&] { cond_wait(CLOCK_MONOTONIC, ms, true); });
}

void waits(std::int64_t ms) {
  timed("cond_realtime", [&] { cond_wait(CLOCK_REALTIME, ms, false); });
  timed("cond_clockwait_realtime", [&] { cond_wait(CLOCK_REALTIME, ms, true); });
  sem_t semaphore;
  ::sem_init(&semaphore, 0, 0);
  timed("sem", [&] {
    const timespec at = after(CLOCK_REALTIME, ms);
    ::sem_timedwait(&semaphore, &at);
  });
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  ::pthread_mutex_lock(&mutex);
  timed("mutex", [&] { lock_taken(mutex, after(CLOCK_REALTIME, ms)); });
  ::pthread_mutex_unlock(&mutex);
  timed("sleep", [&] {
    const timespec at = after(CLOCK_REALTIME, ms);
    ::clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, nullptr);
  });
}

}  // namespace

int main() {
  char line[80];
  while (std::fgets(line, sizeof line, stdin) != nullptr) {
    std::int64_t ms = 0;
    if (std::sscanf(line, "waits %" SCNd64, &ms) == 1) {
      waits(ms);
    } else if (std::sscanf(line, "steady_waits %" SCNd64, &ms) == 1) {
      steady_waits(ms);
    } else {
      clocks();
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}
