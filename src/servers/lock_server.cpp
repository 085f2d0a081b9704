#include "servers/lock_server.hpp"

#include <csignal>
#include <ctime>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr int kServerEnd_ms = 2'000;

}  // namespace

std::string ServerConfig::place_of_data(std::uint32_t server) const {
  return disks.empty() ? folder + "/lab" : disks.at(server);
}

void TrialServer::start() {
  const std::lock_guard guard(mutex_);
  process_ = start_();
}

void TrialServer::when_started(const std::function<void(Process&)>& wait) {
  const std::lock_guard guard(mutex_);
  wait(process_);
}

bool TrialServer::signal(int number) const {
  const std::lock_guard guard(mutex_);
  return process_.signal(number);
}

char TrialServer::state() const {
  const std::lock_guard guard(mutex_);
  return process_.state();
}

std::optional<std::int64_t> TrialServer::stopped_at_ns() const {
  const std::lock_guard guard(mutex_);
  return process_.stopped_at_ns();
}

std::int64_t TrialServer::process_number() const {
  const std::lock_guard guard(mutex_);
  return process_.pid();
}

void TrialServer::kill() {
  const std::lock_guard guard(mutex_);
  killed_ = true;
  process_.signal(SIGKILL);
}

// The previous process must have released the data.
void TrialServer::restart() {
  const std::lock_guard guard(mutex_);
  if (!killed_) return;
  if (!process_.wait(kServerEnd_ms)) throw HarnessError("the killed server does not end");
  process_ = start_();
  killed_ = false;
}

void TrialServer::watch() {
  const std::lock_guard guard(mutex_);
  if (killed_) return;
  if (const auto code = process_.wait(0)) throw HarnessError("the server ended with code " + std::to_string(*code));
}

void TrialServer::stop() {
  const std::lock_guard guard(mutex_);
  process_.signal(SIGKILL);
  process_.wait(kServerEnd_ms);
}

std::function<Process()> not_ours() {
  return []() -> Process { throw HarnessError("holdfast does not start the user's own server"); };
}

std::int64_t host_wall_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace holdfast
