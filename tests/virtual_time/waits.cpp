// A program that waits in one way, named by its argument, for two seconds, and prints how long that took by its own
// clock, in nanoseconds.
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <thread>

namespace {

constexpr int kSeconds = 2;
constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr timespec kTwoSeconds{kSeconds, 0};

std::int64_t ns_of(const timespec& time) {
  return time.tv_sec * kSecond_ns + time.tv_nsec;
}

timespec now(clockid_t clock) {
  timespec out{};
  ::clock_gettime(clock, &out);
  return out;
}

timespec in_two_seconds(clockid_t clock) {
  timespec out = now(clock);
  out.tv_sec += kSeconds;
  return out;
}

void on_signal(int) {}

void catch_alarm() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  ::sigaction(SIGALRM, &action, nullptr);
}

void futex_wait(int operation, const timespec& time) {
  static int word = 0;
  ::syscall(SYS_futex, &word, operation, 0, &time, nullptr, FUTEX_BITSET_MATCH_ANY);
}

int epoll_on(int file) {
  const int out = ::epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  if (file >= 0) ::epoll_ctl(out, EPOLL_CTL_ADD, file, &event);
  return out;
}

void condition_wait(clockid_t clock) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, clock);
  pthread_cond_t condition;
  pthread_cond_init(&condition, &attributes);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  const timespec until = in_two_seconds(clock);
  while (pthread_cond_timedwait(&condition, &mutex, &until) == 0) continue;
}

void receive_with_time_out() {
  int pair[2];
  ::socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  const timeval limit{kSeconds, 0};
  ::setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  char byte = 0;
  ::recv(pair[0], &byte, 1, 0);
}

void wait_for_timer(clockid_t clock, int flags, const timespec& first, void (*meanwhile)() = nullptr) {
  catch_alarm();
  timer_t timer{};
  ::timer_create(clock, nullptr, &timer);
  const itimerspec value{{}, first};
  ::timer_settime(timer, flags, &value, nullptr);
  if (meanwhile != nullptr) meanwhile();
  ::pause();
  ::timer_delete(timer);
}

void read_descriptor(clockid_t clock, int flags, const itimerspec& value, int times) {
  const int timer = ::timerfd_create(clock, 0);
  ::timerfd_settime(timer, flags, &value, nullptr);
  std::uint64_t expired = 0;
  for (int i = 0; i < times; ++i) {
    if (::read(timer, &expired, sizeof expired) != sizeof expired) return;
  }
}

void in_threads() {
  for (int i = 0; i < 4; ++i) {  // each comes and goes
    std::thread([] {
      const timespec half{0, kSecond_ns / 2};
      ::nanosleep(&half, nullptr);
    }).join();
  }
}

void in_children() {
  const pid_t child = ::fork();
  if (child == 0) {
    const pid_t grandchild = ::fork();
    if (grandchild == 0) ::execl("/bin/sleep", "sleep", "2", nullptr);
    ::waitpid(grandchild, nullptr, 0);
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
}

// A thread of two executes a program: all others end, and it takes over the process's number.
void execute_in_thread() {
  const pid_t child = ::fork();
  if (child == 0) {
    std::thread([] { ::execl("/bin/sleep", "sleep", "2", nullptr); }).join();
  }
  ::waitpid(child, nullptr, 0);
}

void stop_for_a_second(pid_t child) {
  const timespec half{0, kSecond_ns / 2};
  const timespec one{1, 0};
  ::nanosleep(&half, nullptr);
  ::kill(child, SIGSTOP);
  ::nanosleep(&one, nullptr);
  ::kill(child, SIGCONT);
}

void stopped_in_a_wait() {
  const pid_t child = ::fork();
  if (child == 0) {
    ::nanosleep(&kTwoSeconds, nullptr);
    ::_exit(0);
  }
  stop_for_a_second(child);
  ::waitpid(child, nullptr, 0);
}

// The child works until it is stopped, so it is stopped outside any call.
void stopped_at_work() {
  const pid_t child = ::fork();
  if (child == 0) {
    for (volatile bool works = true; works;) continue;
  }
  ::kill(child, SIGSTOP);
  const timespec most{1, kSecond_ns / 2};
  ::nanosleep(&most, nullptr);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  const timespec rest{0, kSecond_ns / 2};
  ::nanosleep(&rest, nullptr);
}

void alarm_every_half_second() {
  catch_alarm();
  const itimerval value{{0, 500'000}, {0, 500'000}};
  ::setitimer(ITIMER_REAL, &value, nullptr);
  for (int i = 0; i < 4; ++i) ::pause();
  const itimerval off{};
  ::setitimer(ITIMER_REAL, &off, nullptr);
}

void wait_for_signal() {
  sigset_t none;
  sigemptyset(&none);
  ::sigtimedwait(&none, nullptr, &kTwoSeconds);
}

void select_nothing() {
  int pipe[2];
  if (::pipe(pipe) != 0) return;
  fd_set read;
  FD_ZERO(&read);
  FD_SET(pipe[0], &read);
  timeval limit{kSeconds, 0};
  if (::select(pipe[0] + 1, &read, nullptr, nullptr, &limit) != 0 || FD_ISSET(pipe[0], &read)) std::puts("ready?");
}

// A program that does not use the vDSO.
void by_raw_calls() {
  timespec begin{}, end{};
  ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &begin);
  do {
    const timespec tenth{0, kSecond_ns / 10};
    ::nanosleep(&tenth, nullptr);
    ::syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &end);
  } while (ns_of(end) - ns_of(begin) < kSeconds * kSecond_ns);
}

const std::map<std::string, std::function<void()>> kWays = {
    {"nanosleep", [] { ::nanosleep(&kTwoSeconds, nullptr); }},
    {"clock_nanosleep", [] { ::clock_nanosleep(CLOCK_MONOTONIC, 0, &kTwoSeconds, nullptr); }},
    {"clock_nanosleep_until",
     [] {
       const timespec until = in_two_seconds(CLOCK_MONOTONIC);
       ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
     }},
    {"clock_nanosleep_until_wall",
     [] {
       const timespec until = in_two_seconds(CLOCK_REALTIME);
       ::clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, nullptr);
     }},
    {"poll", [] { ::poll(nullptr, 0, kSeconds * 1000); }},
    {"ppoll", [] { ::ppoll(nullptr, 0, &kTwoSeconds, nullptr); }},
    {"select", select_nothing},
    {"pselect", [] { ::pselect(0, nullptr, nullptr, nullptr, &kTwoSeconds, nullptr); }},
    {"epoll_wait",
     [] {
       epoll_event event{};
       ::epoll_wait(epoll_on(-1), &event, 1, kSeconds * 1000);
     }},
    {"epoll_pwait2",
     [] {
       epoll_event event{};
       ::syscall(SYS_epoll_pwait2, epoll_on(-1), &event, 1, &kTwoSeconds, nullptr, 0);
     }},
    {"futex", [] { futex_wait(FUTEX_WAIT, kTwoSeconds); }},
    {"futex_until", [] { futex_wait(FUTEX_WAIT_BITSET, in_two_seconds(CLOCK_MONOTONIC)); }},
    {"futex_until_wall", [] { futex_wait(FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, in_two_seconds(CLOCK_REALTIME)); }},
    {"condition", [] { condition_wait(CLOCK_MONOTONIC); }},
    {"condition_wall", [] { condition_wait(CLOCK_REALTIME); }},
    {"sigtimedwait", wait_for_signal},
    {"receive_time_out", receive_with_time_out},
    {"alarm",
     [] {
       catch_alarm();
       ::alarm(kSeconds);
       ::pause();
     }},
    {"setitimer", alarm_every_half_second},
    {"timer", [] { wait_for_timer(CLOCK_MONOTONIC, 0, kTwoSeconds); }},
    {"timer_past_a_failed_exec",
     [] { wait_for_timer(CLOCK_MONOTONIC, 0, kTwoSeconds, [] { ::execl("/none/of/these", "none", nullptr); }); }},
    {"timer_until_wall", [] { wait_for_timer(CLOCK_REALTIME, TIMER_ABSTIME, in_two_seconds(CLOCK_REALTIME)); }},
    {"timerfd",
     [] {
       read_descriptor(CLOCK_MONOTONIC, 0, {{}, kTwoSeconds}, 1);
     }},
    {"timerfd_until_wall",
     [] {
       read_descriptor(CLOCK_REALTIME, TFD_TIMER_ABSTIME, {{}, in_two_seconds(CLOCK_REALTIME)}, 1);
     }},
    {"timerfd_interval",
     [] {
       read_descriptor(CLOCK_BOOTTIME, 0, {{0, kSecond_ns / 2}, {0, kSecond_ns / 2}}, 4);
     }},
    {"threads", in_threads},
    {"children", in_children},
    {"execute_in_thread", execute_in_thread},
    {"stopped_in_a_wait", stopped_in_a_wait},
    {"stopped_at_work", stopped_at_work},
    {"raw_calls", by_raw_calls},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    for (const auto& [name, wait] : kWays) std::puts(name.c_str());
    return 0;
  }
  const std::int64_t begin = ns_of(now(CLOCK_MONOTONIC));
  const std::int64_t wall_begin = ns_of(now(CLOCK_REALTIME));
  kWays.at(argv[1])();
  const std::int64_t wall = ns_of(now(CLOCK_REALTIME)) - wall_begin;
  std::printf("%lld %lld\n", static_cast<long long>(ns_of(now(CLOCK_MONOTONIC)) - begin), static_cast<long long>(wall));
  return 0;
}
