#include "doctor/resources.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "adapter/scheduler_wait.hpp"
#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"

namespace holdfast {
namespace {

// For the quick suite: disk space of its results, and memory of three parallel trials.
constexpr std::int64_t kDisk_mib = 200;
constexpr std::int64_t kMemory_mib = 400;
constexpr std::int64_t kTrial_mib = 150;
constexpr std::int64_t kMebibyte = std::int64_t{1024} * 1024;

std::int64_t number_in(const std::string& file) {
  std::ifstream in(file);
  std::int64_t value = 0;
  return in >> value ? value : -1;  // "max" is not a number
}

std::int64_t available_mib() {
  std::ifstream in("/proc/meminfo");
  std::string word;
  for (std::int64_t kib = 0; in >> word;) {
    if (word == "MemAvailable:" && in >> kib) return kib / 1024;
  }
  return -1;
}

// A container sees its own group at this place, of either version.
std::int64_t left_of_limit_mib() {
  for (const auto& [limit, used] : {std::pair{"memory.max", "memory.current"},
                                    std::pair{"memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"}}) {
    const std::string group = "/sys/fs/cgroup/";
    const std::int64_t most = number_in(group + limit);
    const std::int64_t now = number_in(group + used);
    if (most > 0 && now >= 0) return std::max<std::int64_t>(0, most - now) / kMebibyte;
  }
  return -1;
}

Examination examined(const char* name, std::int64_t mib, std::int64_t least, const std::string& where) {
  Examination one{"machine", name, Health::ok, "", "", true, 0};
  if (mib < 0) {
    one.health = Health::not_tried;
    one.says = "not reported by this system";
    one.needed = false;
    return one;
  }
  one.says = fmt::format("{} MiB free{}", mib, where);
  if (mib >= least) return one;
  one.health = Health::failed;
  one.says += fmt::format(", but {} are needed", least);
  return one;
}

constexpr const char* kName = "holdfast-doctor-";
constexpr int kEnd_ms = 10'000;
constexpr int kLook_ms = 100;

std::string temporary_place() {
  const char* named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

}  // namespace

Room room_in(const std::string& folder) {
  Room out;
  std::error_code error;
  auto place = std::filesystem::absolute(folder, error);
  while (!std::filesystem::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  const auto space = std::filesystem::space(place, error);
  if (!error) out.disk_mib = static_cast<std::int64_t>(space.available / kMebibyte);
  out.memory_mib = available_mib();
  const std::int64_t limited = left_of_limit_mib();
  if (limited >= 0) out.memory_mib = out.memory_mib < 0 ? limited : std::min(out.memory_mib, limited);
  return out;
}

int jobs_in(const Room& room, int wanted) {
  if (room.memory_mib < 0) return wanted;
  return static_cast<int>(std::clamp<std::int64_t>(room.memory_mib / kTrial_mib, 1, wanted));
}

std::vector<Examination> examine_room(const Room& room, const std::string& folder) {
  Examination disk = examined("disk", room.disk_mib, kDisk_mib, " in " + folder);
  if (disk.health == Health::failed) disk.remedy = "free some space, or run with --out FOLDER on another disk";
  Examination memory = examined("memory", room.memory_mib, kMemory_mib, "");
  if (memory.health == Health::failed)
    memory.remedy = "give the machine or container more memory, or run with --jobs 1";
  return {disk, memory};
}

// Trials also run without it, with less evidence.
Examination examine_waits() {
  Examination one{"machine", "starvation", Health::ok, "waits for a processor are measured (schedstat)", "", true, 0};
  const std::string why = not_counted();
  if (why.empty()) return one;
  one.health = Health::unavailable;
  one.needed = false;
  explain(one, why);
  return one;
}

ScratchFolder::ScratchFolder(const std::string& keep) {
  if (!keep.empty()) {
    std::error_code error;
    std::filesystem::create_directories(keep, error);
    path_ = std::filesystem::absolute(keep).string();
    if (error) throw BadInput("--out " + keep + ": cannot be created: " + error.message());
    if (!std::filesystem::is_empty(keep, error)) {  // contents could belong to another user or be links
      throw BadInput("--out " + keep + ": is not empty; remedy: use a new or empty folder");
    }
    return;
  }
  path_ = temporary_place() + "/" + kName + "XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) {
    throw BadInput(temporary_place() + ": cannot create a folder in it: " + std::strerror(errno) +
                   "; remedy: --out FOLDER, or TMPDIR=FOLDER");
  }
  ::chmod(path_.c_str(), 0755);
  try {
    start_remover();
  } catch (...) {
    ::rmdir(path_.c_str());
    throw;
  }
}

void ScratchFolder::start_remover() {
  int line[2];
  if (::pipe2(line, O_CLOEXEC) != 0) throw HarnessError(std::string("pipe: ") + system_text(errno));
  line_ = line[1];
  Spawn spawn;
  spawn.argv = {own_program(), "remove-when-over", "--folder", path_};
  spawn.keep_input = true;
  spawn.privileged = true;  // files left by a killed lab may belong to its user
  spawn.descriptors[STDIN_FILENO] = line[0];
  remover_ = spawn_process(spawn);
  ::close(line[0]);
}

ScratchFolder::~ScratchFolder() {
  if (line_ < 0) return;
  ::close(line_);
  remover_.wait(kEnd_ms);
}

void remove_when_over(const std::string& folder) {
  const std::filesystem::path path(folder);
  if (path.filename().string().rfind(kName, 0) != 0) throw BadInput(folder + ": is not a folder of the doctor");
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0 || errno == EINTR) errno = 0;
  // Labs of a killed doctor end slightly later and may still be writing.
  const auto gone = [&path] {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    return !std::filesystem::exists(path, error);
  };
  poll_until(gone, kLook_ms, after_ms(kEnd_ms));
}

}  // namespace holdfast
