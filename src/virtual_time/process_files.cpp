#include "virtual_time/process_files.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <charconv>

#include "artifact/error.hpp"

namespace holdfast {

std::string read_at_once(int descriptor) {
  std::array<char, 4096> buffer{};
  const ssize_t got = ::pread(descriptor, buffer.data(), buffer.size(), 0);
  return {buffer.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

void refuse_full_table(int error) {
  if (error != EMFILE && error != ENFILE) return;
  throw HarnessError("virtual time: too many threads to watch: " + system_text(error) +
                     "; remedy: raise the limit of open files (ulimit -n)");
}

std::string read_proc(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    refuse_full_table(errno);
    return "";
  }
  std::string out;
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = ::read(file, buffer.data(), buffer.size())) > 0;) {
    out.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(file);
  return out;
}

std::string_view field_after(std::string_view text, std::string_view name) {
  const std::size_t at = text.find(name);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + name.size());
  const std::size_t begin = rest.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return rest.substr(begin, rest.find('\n') - begin);
}

pid_t process_of(pid_t tid) {
  const std::string status = read_proc("/proc/" + std::to_string(tid) + "/status");
  const std::string_view field = field_after(status, "\nTgid:");
  pid_t out = 0;
  std::from_chars(field.data(), field.data() + field.size(), out);
  return out;
}

int descriptor_of(pid_t process, std::uint64_t number) {
  const auto opened = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
  if (opened < 0) return -1;
  const auto out = static_cast<int>(::syscall(SYS_pidfd_getfd, opened, static_cast<int>(number), 0));
  ::close(opened);
  return out;
}

bool is_same_file(pid_t process, std::uint64_t number, int ours) {
  constexpr int kCompareFiles = 0;  // KCMP_FILE
  return ::syscall(SYS_kcmp, process, ::getpid(), kCompareFiles, number, ours) == 0;
}

std::string name_of_process(pid_t pid) {
  const std::string name = read_proc("/proc/" + std::to_string(pid) + "/comm");
  return name.substr(0, name.find('\n'));
}

std::vector<pid_t> children_of(pid_t process, pid_t thread) {
  const std::string list =
      read_proc("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/children");
  std::vector<pid_t> out;
  const char* at = list.data();
  const char* const end = at + list.size();
  while (at < end) {
    pid_t child = 0;
    const auto read = std::from_chars(at, end, child);
    if (read.ec != std::errc()) break;
    out.push_back(child);
    at = read.ptr + 1;
  }
  return out;
}

}  // namespace holdfast
