// Two processes that send each other a byte, so that one of them is always busy, beside one that sleeps: if the clock
// moves in the middle of a round, it moved while a process was busy. Prints the number of rounds and of those in which
// the clock was moved.
//
//   ping tcp|tcp_two_writes|unix|pipe ROUNDS
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr std::int64_t kMoved_ns = kSecond_ns;  // the sleeper's waits are longer, a round is far shorter

std::int64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * kSecond_ns + now.tv_nsec;
}

struct Line {
  int in, out;
};

bool send(const Line& line, int writes) {
  for (int i = 0; i < writes; ++i) {
    if (::write(line.out, "x", 1) != 1) return false;
  }
  return true;
}

bool receive(const Line& line, int bytes) {
  char byte = 0;
  for (int i = 0; i < bytes; ++i) {
    if (::read(line.in, &byte, 1) != 1) return false;
  }
  return true;
}

struct Lines {
  Line here, there;
};

Lines by_tcp() {
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(listener, reinterpret_cast<sockaddr*>(&address), size);
  ::listen(listener, 1);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  const int here = ::socket(AF_INET, SOCK_STREAM, 0);
  if (::connect(here, reinterpret_cast<sockaddr*>(&address), size) != 0) std::exit(2);
  const int there = ::accept(listener, nullptr, nullptr);
  return {{here, here}, {there, there}};
}

Lines by_unix() {
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) std::exit(2);
  return {{pair[0], pair[0]}, {pair[1], pair[1]}};
}

Lines by_pipes() {
  int to[2], from[2];
  if (::pipe(to) != 0 || ::pipe(from) != 0) std::exit(2);
  return {{from[0], to[1]}, {to[0], from[1]}};
}

pid_t in_child(const auto& work) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  work();
  ::_exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string kind = argv[1];
  const int writes = kind == "tcp_two_writes" ? 2 : 1;  // the second waits for an acknowledgement of the first
  const Lines lines = kind == "unix" ? by_unix() : kind == "pipe" ? by_pipes() : by_tcp();
  const pid_t sleeper = in_child([] {
    for (;;) {
      const timespec hour{3600, 0};
      ::nanosleep(&hour, nullptr);
    }
  });
  const pid_t echo = in_child([&] {
    while (receive(lines.there, writes) && send(lines.there, 1)) continue;
  });
  int moved = 0;
  const int rounds = std::atoi(argv[2]);
  for (int i = 0; i < rounds; ++i) {
    const std::int64_t begin_ns = now_ns();
    if (!send(lines.here, writes) || !receive(lines.here, 1)) return 2;
    moved += now_ns() - begin_ns > kMoved_ns ? 1 : 0;
  }
  for (const pid_t child : {sleeper, echo}) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  std::printf("%d %d\n", rounds, moved);
  return 0;
}
