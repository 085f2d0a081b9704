#include "lab/process_family.hpp"

#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "lab/stopped_group.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kFamilyObeys_ms = 5'000;

// State and parent; an ended process has no parent.
struct Kin {
  char state = 'X';
  pid_t parent = -1;
};

Kin kin_of(const std::string& folder) {
  std::ifstream in(folder + "/stat");
  std::string text;
  std::getline(in, text);
  Kin out;
  const auto name_ends = text.rfind(')');
  if (name_ends == std::string::npos) return out;
  std::istringstream(text.substr(name_ends + 1)) >> out.state >> out.parent;
  return out;
}

bool is_over(char state) {
  return state == 'Z' || state == 'X';
}

bool stands(pid_t pid) {
  const char state = state_of_process(pid);
  return state == 'T' || is_over(state);
}

// A stopped parent reaps no children, so their numbers cannot be reused meanwhile.
void stop_first(const std::function<bool(int)>& signal_first, pid_t first) {
  signal_first(SIGSTOP);
  if (poll_until([&] { return stands(first); }, 1, after_ms(kFamilyObeys_ms))) return;
  throw HarnessError("process " + std::to_string(first) + " did not stop");
}

template <class Done>
void wait_for_all(const std::vector<pid_t>& processes, const Done& done) {
  for (const pid_t pid : processes) {
    poll_until([&] { return done(pid); }, 1, after_ms(kFamilyObeys_ms));
  }
}

// Throws HarnessError where /proc cannot be read.
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> out;
  std::error_code why;
  for (std::filesystem::directory_iterator at("/proc", why), end; !why && at != end; at.increment(why)) {
    const std::string name = at->path().filename().string();
    pid_t pid = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (read.ec != std::errc() || read.ptr != name.data() + name.size()) continue;
    const Kin kin = kin_of(at->path().string());
    if (kin.parent == parent && !is_over(kin.state)) out.push_back(pid);
  }
  if (why) throw HarnessError("/proc: " + system_text(why.value()));
  return out;
}

}  // namespace

bool signal_family(const std::function<bool(int)>& signal_first, pid_t first, int number) {
  if (number == SIGCONT) {
    for (const pid_t pid : children_of(first)) ::kill(pid, SIGCONT);
    return signal_first(SIGCONT);
  }
  if (!signal_first(0)) return false;
  stop_first(signal_first, first);
  const auto children = children_of(first);
  for (const pid_t pid : children) ::kill(pid, number);
  if (number == SIGSTOP) {
    wait_for_all(children, stands);
    return true;
  }
  // a server started next on the same data needs this
  wait_for_all(children, [](pid_t pid) { return is_over(state_of_process(pid)); });
  return signal_first(number);
}

char family_state(pid_t first) {
  const char state = state_of_process(first);
  if (state != 'T') return state;
  for (const pid_t pid : children_of(first)) {
    if (!stands(pid)) return state_of_process(pid);
  }
  return state;
}

std::optional<std::int64_t> family_stopped_at_ns(pid_t first) {
  auto out_ns = process_stopped_at_ns(first);
  for (const pid_t pid : children_of(first)) {
    const auto one_ns = process_stopped_at_ns(pid);
    if (!one_ns && is_over(state_of_process(pid))) continue;
    if (!one_ns || !out_ns) return std::nullopt;
    *out_ns += *one_ns;
  }
  return out_ns;
}

}  // namespace holdfast
