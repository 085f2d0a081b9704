#include "hosts/host_shell.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "adapter/adapter_error.hpp"
#include "artifact/error.hpp"
#include "artifact/monotonic.hpp"
#include "artifact/units.hpp"
#include "hosts/remote_script.hpp"
#include "servers/target.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kConnects_ms = 20'000;  // on a slow network
constexpr int kGiveUpLook_ms = 50;             // poll interval for giving up
constexpr const char* kAnswerEnd = "holdfast-end ";
constexpr std::size_t kLongestLine = 4096;
constexpr const char* kCommandEnded = "its command ended";
constexpr const char* kEnv = "/usr/bin/env";  // finds the command as a shell would

[[noreturn]] void broken(const std::string& who, const std::string& how, const AdapterProcess& process) {
  const std::string said = in_one_line(process.last_lines());
  throw HarnessError(who + ": " + how + (said.empty() ? "" : "; its output: " + said));
}

}  // namespace

std::vector<std::string> shell_on(const HostPlace& place) {
  std::vector<std::string> out{kEnv};
  out.insert(out.end(), place.run.begin(), place.run.end());
  out.emplace_back("sh");
  return out;
}

std::map<std::string, std::string> users_environment() {
  std::map<std::string, std::string> out;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string one = *at;
    if (const auto equals = one.find('='); equals != std::string::npos)
      out[one.substr(0, equals)] = one.substr(equals + 1);
  }
  out.erase(kTargetPassword);
  return out;
}

std::string next_line(int output, std::int64_t limit_ms, const std::string& who, const AdapterProcess& process,
                      const std::function<bool()>& given_up) {
  const std::int64_t until_ns = monotonic_ns() + limit_ms * kMillisecond_ns;
  std::string out;
  while (out.size() < kLongestLine) {
    if (monotonic_ns() >= until_ns) broken(who, "no answer within " + std::to_string(limit_ms / 1000) + " s", process);
    pollfd ready{output, POLLIN, 0};
    if (::poll(&ready, 1, kGiveUpLook_ms) <= 0) {
      if (given_up()) broken(who, "its answer arrived too late", process);
      continue;
    }
    char c = 0;
    const ssize_t got = ::read(output, &c, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) broken(who, kCommandEnded, process);
    if (c == '\n') return out;
    out += c;
  }
  broken(who, "an answer without an end of line", process);
}

void write_to_shell(const std::string& text, std::int64_t limit_ms, const std::string& who,
                    const AdapterProcess& process) {
  switch (process.write(text, limit_ms)) {
    case AdapterProcess::Written::all:
      return;
    case AdapterProcess::Written::too_slow:
      broken(who, "its shell accepts no input", process);
    case AdapterProcess::Written::closed:
      broken(who, kCommandEnded, process);
  }
}

HostShell::HostShell(const HostPlace& place) : place_(place), process_({shell_on(place), users_environment()}) {
  const std::string lacks = ask(needed_of_host(), kConnects_ms);
  if (lacks.empty()) return;
  throw HarnessError("host " + place_.name + " has no " + lacks.substr(0, lacks.find('\n')) +
                     "; remedy: use a Linux with util-linux, coreutils and grep, or with busybox");
}

std::string HostShell::ask(const std::string& order, std::int64_t limit_ms) {
  const std::lock_guard guard(mutex_);
  const std::string who = "host " + place_.name;
  const std::string end = kAnswerEnd + std::to_string(++asked_);
  const std::string line = order + "; echo \"" + end + "\"\n";
  write_to_shell(line, limit_ms, who, process_);
  std::string out;
  for (;;) {
    const std::string said = next_line(process_.output(), limit_ms, who, process_);
    if (said == end) return out;
    const bool of_another = said.rfind(kAnswerEnd, 0) == 0;
    out = of_another ? "" : out + said + "\n";
  }
}

}  // namespace holdfast
