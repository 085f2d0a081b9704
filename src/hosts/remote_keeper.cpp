#include "hosts/remote_keeper.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "adapter/adapter_process.hpp"
#include "artifact/enumeration.hpp"
#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"

namespace holdfast {
namespace {

constexpr uid_t kNobody = 65534;          // owner of a lab started by root (lab/namespaces.hpp)
constexpr int kTurn_ms = 20;              // poll interval for the end
constexpr std::int64_t kEnds_ms = 8'000;  // launch_script() gives the program five seconds

// Accepts connections from the lab only: processes of our user or, if root started the lab, of the lab's user.
bool may_ask(int connection) {
  ucred who{};
  socklen_t size = sizeof who;
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return false;
  return who.uid == ::geteuid() || (::geteuid() == 0 && who.uid == kNobody);
}

// Checks a descriptor sent by the lab before reopening it with our greater rights: the client's standard error pipe or
// its log.
bool is_to_be_written(int fd) {
  struct stat found {};
  const int how = ::fcntl(fd, F_GETFL);
  return ::fstat(fd, &found) == 0 && (S_ISREG(found.st_mode) || S_ISFIFO(found.st_mode)) && how >= 0 &&
         (how & O_PATH) == 0 && (how & O_ACCMODE) != O_RDONLY;
}

bool readable(int fd) {
  pollfd one{fd, POLLIN, 0};
  return ::poll(&one, 1, kTurn_ms) > 0;
}

RemoteReply refusal(const std::string& why) {
  RemoteReply out;
  out.say(why);
  return out;
}

int exit_code_of(const AdapterEnd& end) {
  return end.signal == 0 ? end.code : 128 + end.signal;
}

}  // namespace

Hosts::Hosts(const std::vector<HostPlace>& places) {
  for (const auto& place : places) shells_.push_back(std::make_unique<HostShell>(place));
}

std::vector<std::string> Hosts::servers() const {
  std::vector<std::string> out;
  for (const auto& shell : shells_) {
    const auto& server = shell->place().server;
    out.push_back(server ? server->host + ":" + std::to_string(server->port) : "-");
  }
  return out;
}

RemoteProgram remote_program(const Manifest& manifest) {
  RemoteProgram out{manifest.command, {}, std::filesystem::absolute(manifest.folder).string()};
  const auto here = adapter_environment(manifest);
  for (const auto& name : manifest.environment) {
    if (const auto found = here.find(name); found != here.end()) out.environment.insert(*found);
  }
  return out;
}

RemoteKeeper::RemoteKeeper(Hosts& hosts, RemoteProgram program, std::int64_t start_ms, const std::string& folder)
    : hosts_(hosts),
      program_(std::move(program)),
      start_ms_(start_ms),
      folder_(folder),
      listens_(listen_in(folder)),
      takes_([this] { take_all(); }) {}

RemoteKeeper::~RemoteKeeper() {
  over_.store(true);
  takes_.join();
  serving_.clear();
  remove_socket_in(folder_);
}

void RemoteKeeper::take_all() {
  while (!over_.load()) {
    if (!readable(listens_.get())) continue;
    const int connection = ::accept4(listens_.get(), nullptr, nullptr, SOCK_CLOEXEC);
    try {
      if (connection >= 0) serving_.emplace_back([this, connection] { serve_safely(connection); });
    } catch (const std::exception&) {  // no thread available: closing the connection reports it
      ::close(connection);
    }
    if (connection < 0) std::this_thread::sleep_for(std::chrono::milliseconds(kTurn_ms));
  }
}

void RemoteKeeper::serve_safely(int connection) {
  const HeldDescriptor held(connection);
  try {
    serve(connection);
  } catch (const std::exception&) {
    return;  // the connection itself failed, so no error can be sent
  }
}

// Runs one thread per connection; the program it starts lives and ends with it.
void RemoteKeeper::serve(int connection) {
  if (!may_ask(connection)) return;
  while (!over_.load()) {
    if (!readable(connection)) continue;
    RemoteRequest request;
    RemoteReply reply;
    try {
      const auto descriptors = receive_one(connection, request);
      if (!descriptors) return;
      if (!is_enumerator(request.order)) throw HarnessError("an invalid order to another host");
      if (request.order == RemoteOrder::start) {
        if (descriptors->size() != 1 || !is_to_be_written(descriptors->front().get())) {
          throw HarnessError("a program on another host: no file for its standard error");
        }
        return keep(connection, request, descriptors->front());
      }
      reply = struck(request);
    } catch (const std::exception& failed) {
      reply = refusal(failed.what());
    }
    if (!send_one(connection, reply)) return;
  }
}

void RemoteKeeper::note(std::uint32_t client, const Started& one) {
  const std::lock_guard guard(mutex_);
  started_[client] = one;
}

RemoteKeeper::Started RemoteKeeper::started(std::uint32_t client) {
  const std::lock_guard guard(mutex_);
  const auto found = started_.find(client);
  if (found == started_.end()) {
    throw HarnessError("client " + std::to_string(client) + " has no program on another host");
  }
  return found->second;
}

RemoteReply RemoteKeeper::struck(const RemoteRequest& request) {
  const Started one = started(request.client);
  RemoteReply out;
  out.good = true;
  HostShell& shell = hosts_.of_node(one.node);
  // After its connection has ended, the process number may be reused, or the program may still run if only the
  // connection failed.
  if (request.order == RemoteOrder::signal && !one.connection_ended) shell.ask(signal_order(one.group, request.signal));
  const RemoteGroup group = read_group(shell.ask(group_question(one.group)), one.group);
  out.threads = group.threads;
  out.stopped = group.stopped;
  out.ran_ns = group.ran_ns;
  return out;
}

// Gives the client the program's pipes, and waits for the end of either.
void RemoteKeeper::keep(int connection, const RemoteRequest& request, const HeldDescriptor& complaints) {
  const HostPlace& place = hosts_.of_node(request.node).place();
  AdapterProcess process({.words = shell_on(place), .environment = users_environment(), .log_pipe = complaints.get()});
  RemoteProgram program = program_;
  if (!place.folder.empty()) program.folder = place.folder;
  const std::string who = "host " + place.name;
  write_to_shell(launch_script(program), HostShell::kAnswer_ms, who, process);
  const auto given_up = [&] { return over_.load() || readable(connection); };
  const std::string line = next_line(process.output(), start_ms_, who, process, given_up);
  const auto group = launched_group(line);
  if (!group) throw HarnessError(who + " says '" + line + "' instead of the process that it started");
  HostShell& shell = hosts_.of_node(request.node);
  const auto there = [&] {  // as soon as setsid has created its group
    return given_up() || process.wait(0) || read_group(shell.ask(group_question(*group)), *group).threads > 0;
  };
  if (!poll_until(there, kTurn_ms, after_ms(HostShell::kAnswer_ms))) {
    throw HarnessError(
        who + ": a second shell on that host does not see the program that the first one started; remedy: use a " +
        "command that always reaches the same processes");
  }
  note(request.client, {request.node, *group, false});
  RemoteReply reply;
  reply.good = true;
  const int input = process.input();
  ::fcntl(input, F_SETFL, ::fcntl(input, F_GETFL) & ~O_NONBLOCK);
  if (!send_one(connection, reply, {input, process.output()})) return;
  process.close_input();
  std::optional<AdapterEnd> end;
  while (!over_.load() && !(end = process.wait(0))) {
    if (readable(connection)) break;  // closed: no more requests
  }
  if (!end) end = process.wait(kEnds_ms);
  note(request.client, {request.node, *group, true});
  reply.ended = true;
  reply.exit_code = end ? exit_code_of(*end) : 128 + SIGKILL;
  send_one(connection, reply);
}

}  // namespace holdfast
