// What every connection to a server has in common, whatever kind of server it is: how it is secured, and how much of
// an answer is taken. Neither trusts the server: whoever answers at an address may be somebody else.
//
//   Security secure{true, "/etc/ssl/our-ca.pem"};      // TLS; the server's certificate is checked, name and chain
//   AnswerLimit limit(kMostOfAnswer);
//   limit.begin();                                     // a question goes out
//   if (!limit.take(n)) give_up(limit.passed());       // "more than 64 MiB in one answer"
//
// There is no TLS without a check: encryption to whoever answers would keep nothing from whoever answers.
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
  std::string ca{};  // a file of certificates (PEM) that the server's must come from; empty: the system's
};

inline constexpr std::size_t kMostOfAnswer = std::size_t{64} << 20U;
inline constexpr std::size_t kMostOfLog = std::size_t{1} << 30U;  // of the resource's, which grows with the trial
inline constexpr int kDeepestAnswer = 8;                          // answers within answers
inline constexpr std::chrono::seconds kLongestAnswer{60};         // from its first byte to its last

// Counts what comes as an answer, as it comes and as it is kept.
class AnswerLimit {
 public:
  explicit AnswerLimit(std::size_t most) : most_(most) {}
  void begin();
  bool take(std::size_t bytes);                          // false: the answer passes the limit
  const std::string& passed() const { return passed_; }  // which limit; empty: none

 private:
  std::size_t most_;
  std::size_t taken_ = 0;
  std::chrono::steady_clock::time_point first_{};
  std::string passed_;
};

// A connection over TLS may write to one that the server has closed: that is an error to hear of, no signal to die of.
void ignore_broken_pipes();

struct StreamFailed : std::runtime_error {
  StreamFailed(const std::string& text, bool is_late) : std::runtime_error(text), late(is_late) {}
  bool late;  // the time was over
};

// A connection of bytes to a server, with TLS or without, that never hangs: connecting, each reading and each writing
// have the same time-out.
//
//   Stream stream("db.example", 6379, {true, ""}, 1000);   // StreamFailed
//   stream.write("PING\r\n");
//   const std::size_t n = stream.read(buffer, sizeof buffer);
//
// It knows nothing of what the bytes mean.
class Stream {
 public:
  Stream(const std::string& host, int port, const Security& security, std::int64_t timeout_ms);
  ~Stream();
  Stream(Stream&&) noexcept;

  void write(std::string_view bytes);
  std::size_t read(char* buffer, std::size_t room);  // at least one byte

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
};

}  // namespace holdfast
