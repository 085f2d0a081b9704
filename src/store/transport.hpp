// Security and limits for connections to all kinds of server. Both assume that the server may be malicious.
//
//   Security secure{true, "/etc/ssl/our-ca.pem"};      // TLS; the server's certificate is checked, name and chain
//   AnswerLimit limit(kMostOfAnswer);
//   limit.begin();                                     // a request is sent
//   if (!limit.take(n)) give_up(limit.passed());       // "more than 64 MiB in one answer"
//
// TLS always includes the certificate check: encryption without it would not protect against an impostor.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace holdfast {

struct Security {
  bool tls = false;
  std::string ca{};  // PEM file of trusted certificates; empty: the system's
};

inline constexpr std::size_t kMostOfAnswer = std::size_t{64} << 20U;
inline constexpr std::size_t kMostOfLog = std::size_t{1} << 30U;  // for the resource's log, which grows with the trial
inline constexpr int kDeepestAnswer = 8;                          // nesting of answers
inline constexpr std::chrono::seconds kLongestAnswer{60};         // from the first byte to the last

// Counts the bytes of an answer as they arrive and as they are kept.
class AnswerLimit {
 public:
  explicit AnswerLimit(std::size_t most) : most_(most) {}
  void begin();
  bool take(std::size_t bytes);                          // returns false if the answer exceeds the limit
  const std::string& passed() const { return passed_; }  // the exceeded limit; empty: none

 private:
  std::size_t most_;
  std::size_t taken_ = 0;
  std::chrono::steady_clock::time_point first_{};
  std::string passed_;
};

// Ignores SIGPIPE: writing on a TLS connection that the server has closed should be an error, not end the process.
void ignore_broken_pipes();

struct StreamFailed : std::runtime_error {
  StreamFailed(const std::string& text, bool is_late) : std::runtime_error(text), late(is_late) {}
  bool late;  // the failure was a time-out
};

// A byte stream to a server, with or without TLS, that never hangs: connecting, each read and each write have the same
// time-out.
//
//   Stream stream("db.example", 6379, {true, ""}, 1000);   // StreamFailed
//   stream.write("PING\r\n");
//   const std::size_t n = stream.read(buffer, sizeof buffer);
//
// It does not interpret the bytes.
class Stream {
 public:
  Stream(const std::string& host, int port, const Security& security, std::int64_t timeout_ms);
  ~Stream();
  Stream(Stream&&) noexcept;

  void write(std::string_view bytes);
  std::size_t read(char* buffer, std::size_t room);  // returns at least one byte

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace holdfast
