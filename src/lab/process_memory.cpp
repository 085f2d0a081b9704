#include "lab/process_memory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <fstream>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

std::string folder_of(pid_t pid) {
  return "/proc/" + std::to_string(pid);
}

bool is_gone(int error) {
  return error == ENOENT || error == ESRCH;
}

constexpr const char* kForceRefused =
    "this kernel refuses writes through /proc/PID/mem; remedy: start the kernel with proc_mem.force_override=always";

}  // namespace

std::string no_access(pid_t pid, const std::string& file, int error) {
  const std::string path = folder_of(pid) + "/" + file;
  const std::string what = "process " + std::to_string(pid) + " cannot be reached: " + path + ": " + system_text(error);
  struct stat owner {};
  const bool known = ::stat(folder_of(pid).c_str(), &owner) == 0;
  if (known && owner.st_uid != ::geteuid()) {
    return what + "; remedy: run it as user " + std::to_string(::geteuid()) + ", like this program, not as " +
           std::to_string(owner.st_uid);
  }
  int scope = 0;
  std::ifstream("/proc/sys/kernel/yama/ptrace_scope") >> scope;
  if (scope > 0) {
    return what + "; remedy: sysctl kernel.yama.ptrace_scope=0 (it is " + std::to_string(scope) + ")";
  }
  return what + "; remedy: start it without set-user-ID and without capabilities, from a readable file";
}

ProcessMemory::ProcessMemory(pid_t pid)
    : pid_(pid), file_(::open((folder_of(pid) + "/mem").c_str(), O_RDWR | O_CLOEXEC)) {
  if (file_ < 0 && !is_gone(errno)) throw Unavailable(no_access(pid, "mem", errno));
}

ProcessMemory::~ProcessMemory() {
  if (file_ >= 0) ::close(file_);
}

std::optional<MemoryRange> ProcessMemory::range(std::string_view name) const {
  std::ifstream maps(folder_of(pid_) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.size() <= name.size() || line.compare(line.size() - name.size(), name.size(), name) != 0) continue;
    if (line[line.size() - name.size() - 1] != ' ') continue;
    char* dash = nullptr;
    const std::uint64_t begin = std::strtoull(line.c_str(), &dash, 16);
    const std::uint64_t end = *dash == '-' ? std::strtoull(dash + 1, nullptr, 16) : 0;
    if (end <= begin) continue;
    return MemoryRange{begin, static_cast<std::size_t>(end - begin)};
  }
  return std::nullopt;
}

std::optional<std::string> ProcessMemory::read(std::uint64_t address, std::size_t bytes) const {
  std::string out(bytes, '\0');
  const ssize_t n = ::pread(file_, out.data(), bytes, static_cast<off_t>(address));
  if (n != static_cast<ssize_t>(bytes)) return std::nullopt;
  return out;
}

// Writing to an ended process writes 0 bytes. EIO means a page that is missing or cannot be written: in the memory of a
// program that was replaced by exec.
bool ProcessMemory::write(std::uint64_t address, std::string_view bytes) const {
  const ssize_t n = ::pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(address));
  if (n == static_cast<ssize_t>(bytes.size())) return true;
  if (n < 0 && !is_gone(errno) && read(address, bytes.size())) throw Unavailable(kForceRefused);
  return false;
}

}  // namespace holdfast
