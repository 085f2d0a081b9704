// What goes between a trial's lab and the keeper of its remote programs, outside it: small records on a socket of the
// trial's folder, both ends of this very program.
//
// A client's end (`holdfast remote-pipe`) orders `start`, with the file for the program's complaints; the answer brings
// the program's input and output. It is told `ended` when the program has, and ends the program by closing the socket.
// The runner orders `signal` and `look`, each by the number of a client.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace holdfast {

enum class RemoteOrder : std::uint8_t { start, signal, look };

struct RemoteRequest {
  RemoteOrder order{};
  std::uint32_t client = 0;
  std::uint32_t node = 0;  // of a start: of the client
  std::int32_t signal = 0;
};

struct RemoteReply {
  bool good = false;
  bool ended = false;  // of a start, at last: with this exit code
  std::int32_t exit_code = 0;
  std::int32_t threads = 0;  // of a look, and of a signal: what is there of the program's group afterwards
  bool stopped = false;
  std::int64_t ran_ns = 0;
  std::array<char, 900> text{};  // why it is not good

  void say(const std::string& why);
  std::string said() const { return text.data(); }
};

// An open descriptor, closed with the object.
class HeldDescriptor {
 public:
  explicit HeldDescriptor(int fd = -1) : fd_(fd) {}
  ~HeldDescriptor();
  HeldDescriptor(HeldDescriptor&& other) noexcept : fd_(other.take()) {}
  HeldDescriptor& operator=(HeldDescriptor&& other) noexcept;
  int get() const { return fd_; }
  int take();

 private:
  int fd_;
};

// The socket of a trial, at the end of the keeper and at that of the lab. Throws HarnessError.
HeldDescriptor listen_in(const std::string& folder);
HeldDescriptor connect_in(const std::string& folder);
void remove_socket_in(const std::string& folder);  // if it is there

// False, or nothing: the other end is closed. Throws HarnessError.
bool send_record(int socket, const void* record, std::size_t size, const std::vector<int>& descriptors);
std::optional<std::vector<HeldDescriptor>> receive_record(int socket, void* record, std::size_t size);

template <typename Record>
bool send_one(int socket, const Record& record, const std::vector<int>& descriptors = {}) {
  return send_record(socket, &record, sizeof record, descriptors);
}
template <typename Record>
std::optional<std::vector<HeldDescriptor>> receive_one(int socket, Record& record) {
  return receive_record(socket, &record, sizeof record);
}

}  // namespace holdfast
