// Messages between a trial's lab and the keeper of its remote programs outside: small records on a socket in the
// trial's folder. Both ends are this program.
//
// A client's end (`holdfast remote-pipe`) sends `start` with the file for standard error; the reply carries the
// program's input and output. It receives `ended` when the program has ended, and ends the program by closing the
// socket. The runner sends `signal` and `look`, each with the number of a client.
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
  std::uint32_t node = 0;  // for start: the client's node
  std::int32_t signal = 0;
};

struct RemoteReply {
  bool good = false;
  bool ended = false;  // for start: the program has ended with this exit code
  std::int32_t exit_code = 0;
  std::int32_t threads = 0;  // for look and signal: state of the program's process group afterwards
  bool stopped = false;
  std::int64_t ran_ns = 0;
  std::array<char, 900> text{};  // reason of a failure

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

// Open a trial's socket, as the keeper (listen) and as the lab (connect). Throw HarnessError.
HeldDescriptor listen_in(const std::string& folder);
HeldDescriptor connect_in(const std::string& folder);
void remove_socket_in(const std::string& folder);  // if it exists

// Return false, or nothing, if the other end is closed. Throw HarnessError.
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
