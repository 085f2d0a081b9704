#include "hosts/remote_programs.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <thread>
#include <utility>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

bool write_all(int to, const char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t put = ::write(to, bytes, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

void copy_all(int from, int to) {
  std::array<char, 65'536> buffer{};
  for (;;) {
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0 || !write_all(to, buffer.data(), static_cast<std::size_t>(got))) return;
  }
}

}  // namespace

RemotePrograms::Line& RemotePrograms::line_of(std::uint32_t client) {
  const std::lock_guard guard(mutex_);
  const auto found = lines_.find(client);
  return found != lines_.end() ? found->second : lines_.try_emplace(client, connect_in(folder_)).first->second;
}

RemoteGroup RemotePrograms::ask(const RemoteRequest& request) {
  Line& line = line_of(request.client);
  const std::lock_guard guard(line.mutex);
  RemoteReply reply;
  if (!send_one(line.connection.get(), request) || !receive_one(line.connection.get(), reply)) {
    throw HarnessError("the keeper of the programs on other hosts no longer runs");
  }
  if (!reply.good) throw HarnessError(reply.said());
  return {reply.threads, reply.stopped, reply.ran_ns};
}

RemoteGroup RemotePrograms::signal(std::uint32_t client, int number) {
  return ask({.order = RemoteOrder::signal, .client = client, .signal = number});
}

RemoteGroup RemotePrograms::look(std::uint32_t client) {
  return ask({.order = RemoteOrder::look, .client = client});
}

// The end of the client closes this process's input, and so the program's. The end of the program closes its output,
// and the host reports its exit code.
int run_remote_pipe(const std::string& folder, std::uint32_t client, std::uint32_t node) {
  std::signal(SIGPIPE, SIG_IGN);  // the program's exit code is the result
  const HeldDescriptor connection = connect_in(folder);
  send_one(connection.get(), RemoteRequest{.order = RemoteOrder::start, .client = client, .node = node},
           {STDERR_FILENO});
  RemoteReply reply;
  auto pipes = receive_one(connection.get(), reply);
  if (!pipes) throw HarnessError("the keeper of the programs on other hosts no longer runs");
  if (!reply.good) throw HarnessError(reply.said());
  if (pipes->size() != 2) throw HarnessError("no pipes of a program on another host");
  HeldDescriptor output = std::move(pipes->at(1));
  std::thread([input = std::move(pipes->at(0))]() mutable {
    copy_all(STDIN_FILENO, input.get());
    input = HeldDescriptor();
  }).detach();
  copy_all(output.get(), STDOUT_FILENO);
  if (!receive_one(connection.get(), reply))
    throw HarnessError("the keeper of the programs on other hosts no longer runs");
  return reply.exit_code;
}

}  // namespace holdfast
