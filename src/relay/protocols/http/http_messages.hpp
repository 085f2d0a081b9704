// One direction of an HTTP/1.1 connection, message by message (RFC 9112): a start line, headers, and a body whose
// length is given, or which comes in chunks, or which lasts until the end of the connection.
//
//   HttpMessages up(HttpSide::client);
//   const auto read = up.read(bytes);     // at most to the end of one message
//
// It keeps the start line and what headers say of the body, within limits: a line has at most 16 KiB, all headers 64.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

enum class HttpSide : std::uint8_t { client, server };

class HttpMessages {
 public:
  explicit HttpMessages(HttpSide side) : side_(side) {}

  struct Read {
    std::size_t size = 0;
    bool ends = false;
  };
  Read read(std::string_view bytes);
  const std::string& broken() const { return broken_; }  // why the bytes are not HTTP; empty: they are

  // The latest message, once its start line was read.
  const std::string& method() const { return method_; }  // of a request
  int status() const { return status_; }                 // of an answer
  bool closes() const { return closes_; }                // its sender ends the connection after it
  // Only for answers, before the first byte of one: it answers a HEAD, and has no body.
  void answers_head(bool head) { no_body_ = head; }

 private:
  enum class State : std::uint8_t { start_line, header, body, chunk_length, chunk, chunk_end, trailer, until_the_end };

  bool take_line();  // returns true if the message ends with it
  bool take_start_line();
  void take_header();
  bool begin_body();
  bool take_chunk_length();
  void reset();
  bool refuse(const char* why);
  std::size_t take_body(std::size_t available);

  HttpSide side_;
  State state_ = State::start_line;
  std::string broken_;
  std::string line_;
  std::size_t headers_ = 0;  // bytes
  std::string method_;
  int status_ = 0;
  bool closes_ = false;
  bool no_body_ = false;
  bool chunked_ = false;
  std::optional<std::uint64_t> length_;
  std::uint64_t left_ = 0;  // of the body, or of a chunk
};

}  // namespace holdfast
