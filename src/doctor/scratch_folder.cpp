#include "doctor/scratch_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"

namespace holdfast {
namespace {

constexpr const char* kName = "holdfast-doctor-";
constexpr int kEnd_ms = 10'000;
constexpr int kLook_ms = 100;

std::string temporary_place() {
  const char* named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

}  // namespace

ScratchFolder::ScratchFolder(const std::string& keep) {
  if (!keep.empty()) {
    std::error_code error;
    std::filesystem::create_directories(keep, error);
    path_ = std::filesystem::absolute(keep).string();
    if (error) throw BadInput("--out " + keep + ": cannot be made: " + error.message());
    if (!std::filesystem::is_empty(keep, error)) {  // what lies there could be somebody's, or links to it
      throw BadInput("--out " + keep + ": holds something already; remedy: a folder that is new or empty");
    }
    return;
  }
  path_ = temporary_place() + "/" + kName + "XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) {
    throw BadInput(temporary_place() + ": cannot make a folder in it: " + std::strerror(errno) +
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
  spawn.privileged = true;  // what a lab that was killed has left may be nobody's
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
  if (path.filename().string().rfind(kName, 0) != 0) throw BadInput(folder + ": no folder of the doctor's");
  char byte = 0;
  while (::read(STDIN_FILENO, &byte, 1) > 0 || errno == EINTR) errno = 0;
  // The labs of a doctor that was killed end a moment after it, and may be writing still.
  const auto gone = [&path] {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    return !std::filesystem::exists(path, error);
  };
  poll_until(gone, kLook_ms, after_ms(kEnd_ms));
}

}  // namespace holdfast
