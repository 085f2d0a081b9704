#include "lab/process_state.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "artifact/error.hpp"
#include "lab/stopped_group.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

// Empty: the process, or the thread, is gone. What cannot be read for another reason is no sign of that.
std::string first_line(const std::string& file) {
  std::ifstream in(file);
  const int why = errno;
  if (!in && why != ENOENT && why != ESRCH) throw HarnessError(file + ": " + system_text(why));
  std::string text;
  std::getline(in, text);
  return text;
}

// What follows the name, which may hold anything: state, parent, group, ...
std::string after_name(const std::string& stat) {
  const std::string text = first_line(stat);
  const auto paren = text.rfind(')');
  return paren == std::string::npos || paren + 2 >= text.size() ? "" : text.substr(paren + 2);
}

char state_in(const std::string& stat) {
  const std::string text = after_name(stat);
  return text.empty() ? 'X' : text.front();
}

std::string proc_folder(pid_t pid) {
  return "/proc/" + std::to_string(pid);
}

}  // namespace

char state_of_process(pid_t pid) {
  return state_in(proc_folder(pid) + "/stat");
}

// Of each thread its state and its processor time; a kernel without the latter says the same of all: nothing.
std::optional<std::int64_t> process_stopped_at_ns(pid_t pid) {
  std::int64_t ran_ns = 0;
  bool some = false;
  std::error_code gone;
  const std::string tasks = proc_folder(pid) + "/task";
  for (fs::directory_iterator task(tasks, gone), end; !gone && task != end; task.increment(gone)) {
    if (state_in(task->path().string() + "/stat") != 'T') return std::nullopt;
    ran_ns += std::atoll(first_line(task->path().string() + "/schedstat").c_str());
    some = true;
  }
  if (gone && gone.value() != ENOENT && gone.value() != ESRCH) {
    throw HarnessError(tasks + ": " + system_text(gone.value()));
  }
  if (gone || !some) return std::nullopt;
  return ran_ns;
}

std::optional<std::int64_t> group_stopped_at_ns(pid_t group) {
  const auto all = processes_of_group(group);
  if (all.empty()) return std::nullopt;
  std::int64_t ran_ns = 0;
  for (const pid_t pid : all) {
    const auto one_ns = process_stopped_at_ns(pid);
    if (!one_ns) return std::nullopt;
    ran_ns += *one_ns;
  }
  return ran_ns;
}

}  // namespace holdfast
