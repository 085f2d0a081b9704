// A conversation of gRPC over HTTP/2, made by hand: what a client of etcd asks, one call beside the other.
#include <cstdint>

#include "tests/relay/recorded.hpp"

namespace holdfast {

namespace {

constexpr unsigned kEndStream = 0x1;
constexpr unsigned kEndHeaders = 0x4;

std::string number(std::uint64_t value, int bytes) {
  std::string out;
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xFFU);
  return out;
}

std::string trailers(std::uint32_t stream) {
  return http2_frame(1, kEndHeaders | kEndStream, stream, http2_header("grpc-status", "0"));
}

std::string answer(std::uint32_t stream, const std::string& message) {
  return http2_frame(1, kEndHeaders, stream, http2_header(":status", "200")) +
         http2_frame(0, 0, stream, grpc_message(message)) + trailers(stream);
}

}  // namespace

std::string http2_preface() {
  return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
}

std::string http2_frame(unsigned type, unsigned flags, std::uint32_t stream, const std::string& payload) {
  return number(static_cast<std::uint32_t>(payload.size()), 3) + static_cast<char>(type) + static_cast<char>(flags) +
         number(stream, 4) + payload;
}

// A literal that is not remembered, of fewer than 127 bytes each.
std::string http2_header(const std::string& name, const std::string& value) {
  return std::string(1, '\0') + static_cast<char>(name.size()) + name + static_cast<char>(value.size()) + value;
}

std::string grpc_message(const std::string& message) {
  return std::string(1, '\0') + number(static_cast<std::uint32_t>(message.size()), 4) + message;
}

std::string grpc_opens(std::uint32_t stream, const std::string& path) {
  const std::string headers = http2_header(":method", "POST") + http2_header(":scheme", "http") +
                              http2_header(":path", path) + http2_header(":authority", "etcd") +
                              http2_header("content-type", "application/grpc") + http2_header("te", "trailers");
  return http2_frame(1, kEndHeaders, stream, headers);
}

std::string grpc_call(std::uint32_t stream, const std::string& path, const std::string& message) {
  return grpc_opens(stream, path) + http2_frame(0, kEndStream, stream, grpc_message(message));
}

std::vector<Utterance> grpc_conversation() {
  const std::string settings = http2_frame(4, 0, 0, "");
  const std::string acknowledged = http2_frame(4, 1, 0, "");
  const std::string path = http2_header(":path", "/etcdserverpb.KV/Range");
  const std::string in_two = http2_frame(1, 0, 9, path.substr(0, 7)) + http2_frame(9, kEndHeaders, 9, path.substr(7));
  const std::string padded = http2_frame(0, 0x8 | kEndStream, 9, "\x03" + grpc_message("orders") + "abc");
  const std::string keep_alive = grpc_message("\x08\x07");
  return {{true, http2_preface() + settings},
          {false, settings + acknowledged},
          {true, acknowledged + grpc_call(1, "/etcdserverpb.Lease/LeaseGrant", "\x08\x02")},
          {false, answer(1, "\x10\x07")},
          {true, grpc_opens(3, "/etcdserverpb.Lease/LeaseKeepAlive") + http2_frame(0, 0, 3, keep_alive)},
          {true, grpc_call(5, "/v3lockpb.Lock/Lock", "\x0a\x06orders")},                 // waits
          {true, http2_frame(0, 0, 3, keep_alive) + in_two + padded},                    // others do not
          {false, answer(9, "none")},                                                    // the last question
          {false, http2_frame(1, kEndHeaders, 3, http2_header(":status", "200"))},       // first keep-alive
          {false, http2_frame(0, 0, 3, keep_alive) + http2_frame(0, 0, 3, keep_alive)},  // two replies
          {true, grpc_opens(7, "/etcdserverpb.Watch/Watch") + http2_frame(0, 0, 7, grpc_message("orders"))},
          {false, http2_frame(1, kEndHeaders, 7, "") + http2_frame(0, 0, 7, grpc_message("orders was put"))},
          {true, grpc_opens(11, "/etcdserverpb.KV/Range") + http2_frame(8, 0, 0, number(4096, 4)) +
                     http2_frame(0, 0, 3, keep_alive) + http2_frame(0, kEndStream, 11, grpc_message("apples"))},
          {true, grpc_opens(13, "/etcdserverpb.KV/Put") + grpc_opens(15, "/etcdserverpb.KV/Put") +
                     http2_frame(0, kEndStream, 13, grpc_message("orders")) +
                     http2_frame(0, kEndStream, 15, grpc_message("orders"))},  // two at once: none overtakes
          {false, http2_frame(3, 0, 11, number(8, 4))},                        // a reset is not an answer
          {true, http2_frame(3, 0, 5, number(8, 4))},                          // it waits no more
          {false, http2_frame(7, 0, 0, number(0, 8))}};
}

// Asked are, in this order: 1 the grant, 2 a keep-alive, 3 the lock, 4 a keep-alive, 5 and 6 the ranges.
std::string grpc_told() {
  return "client 24\nclient 9\n"
         "server 9 aside\nserver 9 aside\n"
         "client 9\nclient 152 counts asks\n"
         "server 62 answers 1\n"
         "client 156 counts in_background asks\n"
         "client 147 counts asks\n"
         "client 16 counts in_background asks\nclient 72 counts asks\n"
         "server 64 answers 5\n"
         "server 22 aside\nserver 16 answers 2\nserver 16 answers 4\n"
         "client 151 passes\n"
         "server 9 aside\nserver 28 aside\n"
         "client 13 overtakes\nclient 16 overtakes counts in_background asks\nclient 148 passes asks\n"
         "client 272 counts asks\nclient 20 counts asks\n"
         "server 13 aside\n"
         "client 13\n"
         "server 17 aside\n";
}

}  // namespace holdfast
