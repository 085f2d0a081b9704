// One thread waits in turn in two ways: 3 ms for a condition, then an hour for a byte, by poll or epoll_wait. Another
// works, signals the condition a little before that wait would end, works on past that, and then sends the byte. Prints
// the rounds, the waits for a byte that ended without one, and their interruptions, which no signal of this program
// causes.
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <thread>

namespace {

constexpr long kMillisecond_ns = 1'000'000;
constexpr long kSecond_ns = 1'000'000'000;
constexpr long kWait_ns = 3 * kMillisecond_ns;
constexpr int kHour_ms = 3'600'000;

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

timespec in_three_milliseconds() {
  timespec out{};
  ::clock_gettime(CLOCK_REALTIME, &out);
  out.tv_nsec += kWait_ns;
  out.tv_sec += out.tv_nsec / kSecond_ns;
  out.tv_nsec %= kSecond_ns;
  return out;
}

void wait_for_signal() {
  const timespec until = in_three_milliseconds();
  ::pthread_mutex_lock(&lock);
  ::pthread_cond_timedwait(&condition, &lock, &until);
  ::pthread_mutex_unlock(&lock);
}

void work(long for_ns) {
  timespec begin{}, now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  do {
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  } while ((now.tv_sec - begin.tv_sec) * kSecond_ns + now.tv_nsec - begin.tv_nsec < for_ns);
}

// The result of poll or epoll_wait.
int wait_for_byte(int from, int with_epoll) {
  if (with_epoll >= 0) {
    epoll_event seen{};
    return ::epoll_wait(with_epoll, &seen, 1, kHour_ms);
  }
  pollfd ready{from, POLLIN, 0};
  return ::poll(&ready, 1, kHour_ms);
}

}  // namespace

int main(int count, char** words) {
  const int rounds = count > 2 ? std::atoi(words[2]) : 0;
  int bytes[2], answers[2], with_epoll = -1;
  if (::pipe(bytes) != 0 || ::pipe(answers) != 0) return 1;
  if (std::string(words[1]) == "epoll_wait") {
    with_epoll = ::epoll_create1(0);
    epoll_event event{EPOLLIN, {}};
    ::epoll_ctl(with_epoll, EPOLL_CTL_ADD, bytes[0], &event);
  }
  std::thread worker([&] {
    for (int i = 0; i < rounds; ++i) {
      char byte = 'x';
      work(2 * kMillisecond_ns + kMillisecond_ns * (i % 16) / 16);
      ::pthread_cond_signal(&condition);
      work(3 * kMillisecond_ns / 2);
      if (::write(bytes[1], &byte, 1) != 1 || ::read(answers[0], &byte, 1) != 1) return;
    }
  });
  int ended = 0, interrupted = 0;
  for (int i = 0; i < rounds; ++i) {
    char byte = 'x';
    wait_for_signal();
    for (int result = 0; (result = wait_for_byte(bytes[0], with_epoll)) != 1;) {
      ++(result < 0 && errno == EINTR ? interrupted : ended);
    }
    if (::read(bytes[0], &byte, 1) != 1 || ::write(answers[1], &byte, 1) != 1) return 1;
  }
  worker.join();
  std::printf("%d %d %d\n", rounds, ended, interrupted);
  return 0;
}
