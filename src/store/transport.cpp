#include "store/transport.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

using Time = std::chrono::steady_clock::time_point;

[[noreturn]] void fail(const std::string& text) {
  throw StreamFailed(text, false);
}

[[noreturn]] void late(std::int64_t timeout_ms) {
  throw StreamFailed("no answer within " + std::to_string(timeout_ms) + " ms", true);
}

bool would_block(int error) {
  return error == EAGAIN || error == EWOULDBLOCK;
}

// Waits until the socket is ready; returns false after the time-out.
bool wait_for(int fd, short events, Time until) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd ready{fd, events, 0};
    const int n = ::poll(&ready, 1, left.count() > 0 ? static_cast<int>(left.count()) : 0);
    if (n > 0) return true;
    if (n == 0) return false;
    if (errno != EINTR) fail(std::strerror(errno));
  }
}

// Empty: it is connected.
std::string connect_to(int fd, const addrinfo& at, Time until) {
  if (::connect(fd, at.ai_addr, at.ai_addrlen) == 0) return "";
  if (errno != EINPROGRESS) return std::strerror(errno);
  if (!wait_for(fd, POLLOUT, until)) return std::strerror(ETIMEDOUT);
  int error = 0;
  socklen_t length = sizeof error;
  ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length);
  return error == 0 ? "" : std::strerror(error);
}

int connected(const std::string& host, int port, Time until) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (error != 0) fail(host + ": " + ::gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, &::freeaddrinfo);
  std::string why;
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    const int fd = ::socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) fail(system_text(errno));
    why = connect_to(fd, *at, until);
    if (why.empty()) return fd;
    ::close(fd);
  }
  fail(why);
}

// From now on the kernel enforces the time-out for reads and writes.
void limit_waits(int fd, std::int64_t timeout_ms) {
  const timeval limit{timeout_ms / 1000, (timeout_ms % 1000) * 1000};
  const int yes = 1;
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

std::string tls_error() {
  const unsigned long code = ::ERR_get_error();
  ::ERR_clear_error();
  if (code == 0) return "the connection was closed";
  const char* reason = ::ERR_reason_error_string(code);
  return reason == nullptr ? "error " + std::to_string(code) : reason;
}

SSL_CTX* checking_context(const Security& security) {
  SSL_CTX* context = ::SSL_CTX_new(::TLS_client_method());
  if (context == nullptr) throw std::bad_alloc();
  ::SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  ::SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  const int known = security.ca.empty() ? ::SSL_CTX_set_default_verify_paths(context)
                                        : ::SSL_CTX_load_verify_locations(context, security.ca.c_str(), nullptr);
  if (known == 1) return context;
  ::SSL_CTX_free(context);
  fail("TLS: " + (security.ca.empty() ? "the system's certificates" : security.ca) + ": " + tls_error());
}

// The certificate must be for this name or address.
void expect_name(SSL* tls, const std::string& host) {
  unsigned char bytes[sizeof(in6_addr)];
  const bool address =
      ::inet_pton(AF_INET, host.c_str(), bytes) == 1 || ::inet_pton(AF_INET6, host.c_str(), bytes) == 1;
  const int known = address ? ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(tls), host.c_str())
                            : ::SSL_set1_host(tls, host.c_str());
  if (known != 1) fail("TLS: " + host + ": " + tls_error());
  if (!address) SSL_set_tlsext_host_name(tls, host.c_str());
}

void shake_hands(SSL* tls, int fd, Time until) {
  while (true) {
    const int done = ::SSL_connect(tls);
    if (done == 1) return;
    const int why = ::SSL_get_error(tls, done);
    if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) {
      if (wait_for(fd, why == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT, until)) continue;
      throw StreamFailed("TLS: the handshake took too long", true);
    }
    const long verdict = ::SSL_get_verify_result(tls);
    if (verdict != X509_V_OK) {
      fail(std::string("TLS: the server's certificate is refused: ") + ::X509_verify_cert_error_string(verdict));
    }
    fail("TLS: " + tls_error());
  }
}

// Classifies a failed call on the connection: returns if it should be retried, and throws if it is too late or the
// connection ended.
void sort_failure(SSL* tls, int result, std::int64_t timeout_ms) {
  const int error = errno;
  if (tls == nullptr) {
    if (result == 0) fail("Server closed the connection");
    if (error == EINTR) return;  // interrupted by a signal: retry
    if (would_block(error)) late(timeout_ms);
    fail(std::strerror(error));
  }
  const int why = ::SSL_get_error(tls, result);
  if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) {
    if (error == EINTR) return;
    late(timeout_ms);
  }
  if (why == SSL_ERROR_ZERO_RETURN) fail("Server closed the connection");
  fail(why == SSL_ERROR_SYSCALL && error != 0 ? std::strerror(error) : "TLS: " + tls_error());
}

}  // namespace

void AnswerLimit::begin() {
  taken_ = 0;
  passed_.clear();
}

bool AnswerLimit::take(std::size_t bytes) {
  if (!passed_.empty()) return false;
  const auto now = std::chrono::steady_clock::now();
  if (taken_ == 0) first_ = now;
  if (bytes > most_ - taken_) {
    passed_ = "sent more than " + std::to_string(most_ >> 20U) + " MiB in one answer";
  } else if (now - first_ > kLongestAnswer) {
    passed_ = "took more than " + std::to_string(kLongestAnswer.count()) + " s for one answer";
  }
  taken_ += bytes;
  return passed_.empty();
}

void ignore_broken_pipes() {
  ::signal(SIGPIPE, SIG_IGN);
}

struct Stream::Handle {
  int fd = -1;
  SSL_CTX* context = nullptr;
  SSL* tls = nullptr;
  std::int64_t timeout_ms = 0;
  ~Handle() {
    ::SSL_free(tls);
    ::SSL_CTX_free(context);
    if (fd >= 0) ::close(fd);
  }
};

Stream::Stream(const std::string& host, int port, const Security& security, std::int64_t timeout_ms)
    : handle_(std::make_unique<Handle>()) {
  const Time until = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  handle_->timeout_ms = timeout_ms;
  handle_->fd = connected(host, port, until);
  if (security.tls) {
    ignore_broken_pipes();
    handle_->context = checking_context(security);
    handle_->tls = ::SSL_new(handle_->context);
    if (handle_->tls == nullptr || ::SSL_set_fd(handle_->tls, handle_->fd) != 1) throw std::bad_alloc();
    expect_name(handle_->tls, host);
    shake_hands(handle_->tls, handle_->fd, until);
  }
  limit_waits(handle_->fd, timeout_ms);
}

Stream::~Stream() = default;
Stream::Stream(Stream&&) noexcept = default;

void Stream::write(std::string_view bytes) {
  SSL* tls = handle_->tls;
  while (!bytes.empty()) {
    errno = 0;
    const int room = static_cast<int>(std::min(bytes.size(), std::size_t{1} << 20U));
    const int n = tls != nullptr ? ::SSL_write(tls, bytes.data(), room)
                                 : static_cast<int>(::send(handle_->fd, bytes.data(), room, MSG_NOSIGNAL));
    if (n > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(n));
    } else {
      sort_failure(tls, n, handle_->timeout_ms);
    }
  }
}

std::size_t Stream::read(char* buffer, std::size_t room) {
  SSL* tls = handle_->tls;
  while (true) {
    errno = 0;
    const int n = tls != nullptr ? ::SSL_read(tls, buffer, static_cast<int>(room))
                                 : static_cast<int>(::recv(handle_->fd, buffer, room, 0));
    if (n > 0) return static_cast<std::size_t>(n);
    sort_failure(tls, n, handle_->timeout_ms);
  }
}

}  // namespace holdfast
