// A connection of bytes to a server, with TLS or without, that never hangs: connecting, each reading and each writing
// have the same time-out.
//
//   Stream stream("db.example", 6379, {true, ""}, 1000);   // StreamFailed
//   stream.write("PING\r\n");
//   const std::size_t n = stream.read(buffer, sizeof buffer);
//
// It knows nothing of what the bytes mean.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "store/transport.hpp"

namespace holdfast {

struct StreamFailed : std::runtime_error {
  StreamFailed(const std::string& text, bool is_late) : std::runtime_error(text), late(is_late) {}
  bool late;  // the time was over
};

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
