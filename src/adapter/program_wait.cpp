#include "adapter/program_wait.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>
#include <utility>

#include "adapter/scheduler_wait.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMicrosecond_ns = 1'000;

std::string stat_of(pid_t pid) {
  return first_line("/proc/" + std::to_string(pid) + "/stat");
}

// `place`: number of the field as in proc(5), where the name is the second; later fields are single words.
std::int64_t field_of(const std::string& stat, int place) {
  const auto paren = stat.rfind(')');
  if (paren == std::string::npos) return -1;
  std::istringstream fields(stat.substr(paren + 1));
  std::string word;
  for (int at = 3; at < place; ++at) fields >> word;
  std::int64_t number = -1;
  return fields >> number ? number : -1;
}

bool has_company(pid_t leader) {
  std::error_code gone;
  for (fs::directory_iterator entry("/proc", gone), end; !gone && entry != end; entry.increment(gone)) {
    const std::string name = entry->path().filename().string();
    if (std::isdigit(static_cast<unsigned char>(name.front())) == 0 || name == std::to_string(leader)) continue;
    if (session_of(first_line(entry->path().string() + "/stat")) == leader) return true;
  }
  return false;
}

}  // namespace

std::int64_t faults_of_children(const std::string& stat) {
  return field_of(stat, 11);
}

std::int64_t session_of(const std::string& stat) {
  return field_of(stat, 6);
}

std::optional<std::int64_t> pressure_ns(const std::string& text) {
  const std::string word = "total=";
  const auto at = text.rfind("some ", 0) == 0 ? text.find(word) : std::string::npos;
  if (at == std::string::npos) return std::nullopt;
  std::istringstream in(text.substr(at + word.size()));
  std::int64_t total_us = 0;
  if (in >> total_us) return total_us * kMicrosecond_ns;
  return std::nullopt;
}

std::int64_t waited_at_most_ns(std::int64_t passed_ns, std::optional<std::int64_t> pressure_ns,
                               std::int64_t processors) {
  return pressure_ns ? std::clamp<std::int64_t>(*pressure_ns * processors, 0, passed_ns) : passed_ns;
}

ProgramWait::ProgramWait(pid_t pid, std::int64_t now_ns)
    : pid_(pid),
      looked_ns_(now_ns),
      faults_(faults_of_children(stat_of(pid))),
      pressure_ns_(pressure_ns(first_line("/proc/pressure/cpu"))) {}

// Skips the search through all processes until a child program has ended.
bool ProgramWait::had_programs() {
  const std::int64_t before = std::exchange(faults_, faults_of_children(stat_of(pid_)));
  return faults_ > before || (faults_ > 0 && has_company(pid_));
}

std::int64_t ProgramWait::look_ns(std::int64_t now_ns) {
  const std::int64_t passed_ns = now_ns - std::exchange(looked_ns_, now_ns);
  const auto before_ns = std::exchange(pressure_ns_, pressure_ns(first_line("/proc/pressure/cpu")));
  if (!had_programs()) return 0;
  const bool known = before_ns && pressure_ns_;
  return waited_at_most_ns(passed_ns, known ? std::optional(*pressure_ns_ - *before_ns) : std::nullopt,
                           ::sysconf(_SC_NPROCESSORS_ONLN));
}

}  // namespace holdfast
