#include "hosts/remote_script.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "artifact/error.hpp"
#include "artifact/shell_command.hpp"

namespace holdfast {
namespace {

constexpr const char* kLaunched = "holdfast ";
constexpr std::int64_t kMostTicks = 1'000'000'000'000;  // a thread has not lived longer
constexpr std::int64_t kTick_ns = 10'000'000;           // USER_HZ is 100 on every Linux that /proc speaks of

std::string quoted(const std::string& word) {
  return ShellCommand(word).text();
}

std::string end_of_answer() {
  return std::string("; echo ") + kAnswerEnd + "\n";
}

}  // namespace

// In braces, so that the shell has read all of it before it begins: what follows on its input is the program's.
std::string launch_script(const RemoteProgram& program) {
  std::string out = "{ exec 3<&0\n";
  if (!program.folder.empty()) out += "cd " + quoted(program.folder) + " || exit 126\n";
  for (const auto& [name, value] : program.environment) out += "export " + name + "=" + quoted(value) + "\n";
  out += "d=$(mktemp -d) && mkfifo \"$d/in\" || exit 126\nsetsid";
  for (const auto& word : program.words) out += " " + quoted(word);
  out +=
      " <\"$d/in\" 3<&- &\n"
      "p=$!\n"
      "exec 4>\"$d/in\"\n"
      "rm -r \"$d\"\n"
      "echo \"" +
      std::string(kLaunched) +
      "$p\"\n"
      "exec >/dev/null\n"
      "setsid sh -c 'cat <&3 >&4; exec 4>&-; sleep 5; kill -s KILL -- \"-$0\" 2>/dev/null' \"$p\" &\n"
      "w=$!\n"
      "exec 3<&- 4>&-\n"
      "wait \"$p\"; code=$?\n"
      "kill -s KILL -- \"-$w\" \"-$p\" 2>/dev/null\n"
      "exit \"$code\"\n}\n";
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
  return "for w in setsid mktemp mkfifo cat grep sleep; do command -v $w >/dev/null || echo $w; done; "
         "test -r /proc/self/stat || echo /proc" +
         end_of_answer();
}

std::string signal_order(std::int64_t group, int number) {
  return "kill -s " + std::to_string(number) + " -- -" + std::to_string(group) + " 2>/dev/null" + end_of_answer();
}

// The group leads its session, so both numbers are the same; what else has them side by side is left out as it is read.
std::string group_question(std::int64_t group) {
  const std::string number = std::to_string(group);
  return "grep -hs ' " + number + " " + number + " ' /proc/[0-9]*/task/[0-9]*/stat" + end_of_answer();
}

// pid (name) state ppid group session tty foreground flags faults... utime stime: proc(5). A name may hold anything.
RemoteGroup read_group(const std::string& lines, std::int64_t group) {
  RemoteGroup out;
  out.stopped = true;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) {
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
    if (!whole) throw HarnessError("another host's /proc says '" + line + "', which is no line of it");
    if (its_group != group || state == 'Z' || state == 'X') continue;
    ++out.threads;
    out.stopped = out.stopped && state == 'T';
    out.ran_ns += (user + system) * kTick_ns;
  }
  out.stopped = out.stopped && out.threads > 0;
  return out;
}

}  // namespace holdfast
