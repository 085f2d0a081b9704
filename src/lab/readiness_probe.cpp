#include "lab/readiness_probe.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <sstream>
#include <thread>

#include "artifact/error.hpp"
#include "artifact/input_file.hpp"
#include "artifact/poll_until.hpp"
#include "lab/node_socket.hpp"
#include "lab/process_limit.hpp"

namespace holdfast {
namespace {

constexpr int kProbeLook_ms = 5;
constexpr int kAttempt_ms = 200;

bool connect_to(int fd, const std::string& address, int port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, address.c_str(), &to.sin_addr);
  return ::connect(fd, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
}

bool ready(int fd, short what, int timeout_ms) {
  pollfd waiting{fd, what, 0};
  return ::poll(&waiting, 1, timeout_ms) == 1;
}

bool say(int fd, std::string_view question, int timeout_ms) {
  if (question.empty()) return true;
  return ready(fd, POLLOUT, timeout_ms) &&
         ::send(fd, question.data(), question.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(question.size());
}

std::string address_of(int fd) {
  sockaddr_in own{};
  socklen_t size = sizeof own;
  char text[INET_ADDRSTRLEN] = "";
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&own), &size) != 0) return "";
  return ::inet_ntop(AF_INET, &own.sin_addr, text, sizeof text);
}

// The beginning of the answer, or empty after the time-out. A server may send it in several packets.
std::string answer_begin(int fd, std::size_t wanted, int timeout_ms) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  std::string bytes(std::min(wanted, kAnswerBytes), '\0');
  std::size_t got = 0;
  while (got < bytes.size()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() < 0 || !ready(fd, POLLIN, static_cast<int>(left.count()))) return "";
    const ssize_t more = ::read(fd, bytes.data() + got, bytes.size() - got);
    if (more <= 0) return "";
    got += static_cast<std::size_t>(more);
  }
  return bytes;
}

// Takes the socket and closes it.
bool ask(int fd, const std::string& address, const ReadinessProbe& how, int timeout_ms, std::string* own = nullptr) {
  if (fd < 0) return false;
  (void)connect_to(fd, address, how.port);
  std::string answer;
  if (say(fd, how.question, timeout_ms)) answer = answer_begin(fd, how.answer_bytes, timeout_ms);
  const std::string seen = own != nullptr ? address_of(fd) : "";
  ::close(fd);
  const bool good = !answer.empty() && how.serves(answer);
  if (own != nullptr) *own = good ? seen : "";
  return good;
}

std::string last_said(const std::string& log) {
  const InputFile file = InputFile::stored(log);
  std::istringstream in(file.is_there() ? file.tail(kEndOfLog) : "");
  std::string last;
  std::string error;  // more informative than later lines, such as a crash report
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    last = line;
    const bool names_no_cause = line.find("got signal") != std::string::npos || line.ends_with("[ERROR] Aborting");
    if (line.find("[ERROR]") != std::string::npos && (!names_no_cause || error.empty())) error = line;
  }
  if (last.empty()) return "it wrote nothing to " + log;
  return error.empty() ? last : error;
}

}  // namespace

std::int64_t probe(const Node& node, const std::string& address, const ReadinessProbe& how, int timeout_ms,
                   std::string* own) {
  const int fd = socket_on(node);
  const auto begin = std::chrono::steady_clock::now();
  if (!ask(fd, address, how, timeout_ms, own)) return -1;
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin).count();
}

// Connecting a datagram socket asks the kernel for a route and sends nothing.
std::string address_towards(const Node& node, const std::string& address) {
  constexpr int kAnyPort = 9;
  const int fd = socket_on(node, SOCK_DGRAM);
  std::string own = connect_to(fd, address, kAnyPort) ? address_of(fd) : "";
  ::close(fd);
  return own;
}

void wait_for_answer(const std::string& address, const ReadinessProbe& how, Process& server, const std::string& log,
                     int timeout_ms) {
  const auto answers = [&] {
    if (ask(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), address, how, kAttempt_ms)) return true;
    if (server.wait(0)) throw HarnessError("the server exited immediately: " + last_said(log) + refused_processes());
    return false;
  };
  if (poll_until(answers, kProbeLook_ms, after_ms(timeout_ms))) return;
  throw HarnessError("the server does not answer: " + last_said(log) + refused_processes());
}

}  // namespace holdfast
