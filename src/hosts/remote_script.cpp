#include "hosts/remote_script.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <sstream>

#include "artifact/error.hpp"
#include "artifact/shell_command.hpp"

namespace holdfast {
namespace {

constexpr const char* kLaunched = "holdfast ";
constexpr const char* kSelf = "self ";
constexpr std::int64_t kMostTicks = 1'000'000'000'000;  // a thread cannot have lived longer
constexpr std::int64_t kTick_ns = 10'000'000;           // USER_HZ in /proc is 100 on every Linux

std::string quoted(const std::string& word) {
  return ShellCommand(word).text();
}

}  // namespace

// Braces make the shell read the whole script first: the rest of its input belongs to the program. The program blocks
// while opening its input until the line is printed.
std::string launch_script(const RemoteProgram& program) {
  std::string out = "{ exec 3<&0\n";
  if (!program.folder.empty()) out += "cd " + quoted(program.folder) + " || exit 126\n";
  for (const auto& [name, value] : program.environment) out += "export " + name + "=" + quoted(value) + "\n";
  out += "holdfast_d=$(mktemp -d) && mkfifo \"$holdfast_d/in\" || exit 126\nsetsid";
  for (const auto& word : program.words) out += " " + quoted(word);
  out +=
      " <\"$holdfast_d/in\" 3<&- &\n"
      "holdfast_p=$!\n"
      "echo \"" +
      std::string(kLaunched) +
      "$holdfast_p\"\n"
      "exec 4>\"$holdfast_d/in\"\n"
      "rm -r \"$holdfast_d\"\n"
      "exec >/dev/null\n"
      "setsid sh -c 'cat <&3 >&4; exec 4>&-; sleep 5; kill -s KILL -- \"-$0\" 2>/dev/null' \"$holdfast_p\" &\n"
      "holdfast_w=$!\n"
      "exec 3<&- 4>&-\n"
      "wait \"$holdfast_p\"; holdfast_c=$?\n"
      "kill -s KILL \"$holdfast_w\" 2>/dev/null\n"
      "kill -s KILL -- \"-$holdfast_w\" \"-$holdfast_p\" 2>/dev/null\n"
      "exit \"$holdfast_c\"\n}\n";
  return out;
}

std::optional<std::int64_t> launched_group(const std::string& line) {
  const std::string begin = kLaunched;
  if (line.rfind(begin, 0) != 0) return std::nullopt;
  std::int64_t group = 0;
  const char* const end = line.data() + line.size();
  const auto [rest, error] = std::from_chars(line.data() + begin.size(), end, group);
  if (error != std::errc() || rest != end || group < 2) return std::nullopt;
  return group;
}

std::string needed_of_host() {
  return "for w in setsid mktemp mkfifo cat grep rm sleep; do command -v $w >/dev/null || echo $w; done; "
         "test -r /proc/self/stat || echo /proc";
}

std::string signal_order(std::int64_t group, int number) {
  const char* name = number == SIGSTOP ? "STOP" : number == SIGCONT ? "CONT" : number == SIGKILL ? "KILL" : nullptr;
  if (name == nullptr) throw HarnessError("signal " + std::to_string(number) + " is sent to no other host");
  return std::string("kill -s ") + name + " -- -" + std::to_string(group) + " 2>/dev/null";
}

// The group leads its session, so both numbers are equal; unrelated lines with these numbers side by side are filtered
// out when reading. The shell itself is matched, too: an answer without it means that /proc cannot be read.
std::string group_question(std::int64_t group) {
  const std::string number = std::to_string(group);
  return "echo \"" + std::string(kSelf) + "$$\"; grep -hs -e ' " + number + " " + number +
         " ' -e \"^$$ \" /proc/[0-9]*/task/[0-9]*/stat";
}

// pid (name) state ppid group session tty foreground flags faults... utime stime: proc(5). A name may contain anything.
RemoteGroup read_group(const std::string& lines, std::int64_t group) {
  RemoteGroup out;
  out.stopped = true;
  std::istringstream in(lines);
  std::string self;
  bool seen = false;
  if (!std::getline(in, self) || self.rfind(kSelf, 0) != 0) throw HarnessError("another host cannot read its /proc");
  self = self.substr(std::string(kSelf).size()) + " ";
  for (std::string line; std::getline(in, line);) {
    seen = seen || line.rfind(self, 0) == 0;
    const auto name_end = line.rfind(')');
    std::istringstream fields(name_end == std::string::npos ? "" : line.substr(name_end + 1));
    char state = 0;
    std::int64_t parent = 0;
    std::int64_t its_group = 0;
    std::int64_t other = 0;
    std::int64_t user = 0;
    std::int64_t system = 0;
    fields >> state >> parent >> its_group;
    for (int i = 0; i < 8; ++i) fields >> other;
    fields >> user >> system;
    const bool whole = fields && user >= 0 && system >= 0 && user < kMostTicks && system < kMostTicks;
    if (!whole) throw HarnessError("another host's /proc says '" + line + "', which is not a line of it");
    if (its_group != group || state == 'Z' || state == 'X') continue;
    ++out.threads;
    out.stopped = out.stopped && state == 'T';
    out.ran_ns += (user + system) * kTick_ns;
  }
  if (!seen) throw HarnessError("another host's /proc is not usable: it does not show the shell that reads it");
  out.stopped = out.stopped && out.threads > 0;
  return out;
}

}  // namespace holdfast
