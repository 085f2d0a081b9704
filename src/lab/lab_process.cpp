#include "lab/lab_process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "artifact/error.hpp"
#include "lab/lab_user.hpp"

namespace holdfast {
namespace {

constexpr const char* kLog = "/lab.log";

struct Started {
  Process lab;
  int lifeline;
};

Started start(const std::string& folder, const std::vector<std::string>& words, const std::string& log) {
  int line[2];
  if (::pipe2(line, O_CLOEXEC) != 0) throw HarnessError(std::string("pipe: ") + system_text(errno));
  Spawn spawn;
  spawn.argv = {own_program(), "lab", "--folder", folder};
  spawn.argv.insert(spawn.argv.end(), words.begin(), words.end());
  spawn.keep_input = true;
  spawn.privileged = true;
  spawn.descriptors[STDIN_FILENO] = line[0];
  spawn.log = log;
  try {
    Process lab = spawn_process(spawn);
    ::close(line[0]);
    return {std::move(lab), line[1]};
  } catch (...) {
    ::close(line[0]);
    ::close(line[1]);
    throw;
  }
}

// Tries an empty lab, made as the real ones will be. The last of two words of one name counts.
bool empty_lab_works(const std::string& folder, std::vector<std::string> words) {
  words.insert(words.end(), {"--part", "nothing"});
  Started one = start(folder, words, "/dev/null");
  const bool works = one.lab.wait(-1) == 0;
  ::close(one.lifeline);
  ::rmdir((folder + "/lab").c_str());
  return works;
}

// Asked again after a no: who ends that lab from outside must not make all others root's.
bool nobody_can(const std::string& folder, const std::vector<std::string>& words) {
  const bool works = hand_over(folder) && (empty_lab_works(folder, words) || empty_lab_works(folder, words));
  take_back(folder);
  return works;
}

// Made here, since the lab's programs add to it by its name.
void make_log(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) throw HarnessError(path + ": " + system_text(errno));
  ::close(fd);
}

}  // namespace

LabProcess::LabProcess(const std::string& folder, const std::vector<std::string>& words) : folder_(folder) {
  make_log(folder + kLog);
  static const bool nobodys = ::geteuid() == 0 && nobody_can(folder, words);
  if (nobodys) hand_over(folder);
  Started started = start(folder, words, folder + kLog);
  lab_ = std::move(started.lab);
  lifeline_ = started.lifeline;
}

LabProcess::~LabProcess() {
  end();
  wait(-1);
}

std::optional<int> LabProcess::wait(int timeout_ms) {
  const auto code = lab_.wait(timeout_ms);
  if (!code || ended_) return code;
  ended_ = true;
  ::rmdir((folder_ + "/lab").c_str());
  take_back(folder_);
  return code;
}

void LabProcess::end() {
  if (lifeline_ >= 0) ::close(lifeline_);
  lifeline_ = -1;
}

std::string LabProcess::last_words() const {
  std::ifstream in(folder_ + kLog);
  std::string own;
  std::string any;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("holdfast: ", 0) == 0) own = line.substr(10);
    if (!line.empty()) any = line;
  }
  if (!own.empty()) return own;
  return "the lab ended without a word of its own" + (any.empty() ? "" : "; last: " + any) + "; see " + folder_ + kLog;
}

}  // namespace holdfast
