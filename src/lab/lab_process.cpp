#include "lab/lab_process.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "artifact/error.hpp"
#include "lab/lab_user.hpp"
#include "lab/last_words.hpp"

namespace holdfast {
namespace {

constexpr const char* kLog = "/lab.log";

// However the function ends.
class OwnAgain {
 public:
  explicit OwnAgain(const std::string& folder) : folder_(folder) {}
  ~OwnAgain() { take_back(folder_); }
  OwnAgain(const OwnAgain&) = delete;
  OwnAgain& operator=(const OwnAgain&) = delete;

 private:
  const std::string& folder_;
};

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

std::string words_of(const std::string& folder) {
  const auto [own, any] = last_words(folder + kLog);
  if (!own.empty()) return own;
  return "the lab ended without a word of its own" + (any.empty() ? "" : "; last: " + any) + "; see " + folder + kLog;
}

// How an empty lab ends, made as the real ones will be. The last of two words of one name counts.
int try_empty_lab(const std::string& folder, std::vector<std::string> words) {
  words.insert(words.end(), {"--part", "nothing"});
  Started one = start(folder, words, folder + kLog);
  const int code = one.lab.wait(-1).value_or(kExitHarness);
  ::close(one.lifeline);
  ::rmdir((folder + "/lab").c_str());
  return code;
}

// This machine refuses it, or the program, or a server, is closed to nobody.
bool is_refusal(int code) {
  constexpr int kNotExecuted = 126;  // and 127
  return code == kExitUnavailable || code == kExitUsage || code == kNotExecuted || code == kNotExecuted + 1;
}

bool is_answer(int code) {
  return code == 0 || is_refusal(code);
}

// An empty lab that ended for any other reason, killed perhaps, shows nothing: it is tried again, since who ends that
// lab from outside must not make all others root's.
bool nobody_can(const std::string& folder, const std::vector<std::string>& words) {
  const OwnAgain own_again(folder);
  if (!hand_over(folder)) return false;
  int code = try_empty_lab(folder, words);
  if (!is_answer(code)) code = try_empty_lab(folder, words);
  if (!is_answer(code)) throw HarnessError("an empty lab, tried first: " + words_of(folder));
  return code == 0;
}

// Made here, since the lab's programs add to it by its name. Empty: of the lab before this one nothing is of interest.
void make_log(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) throw HarnessError(path + ": " + system_text(errno));
  ::close(fd);
}

}  // namespace

LabProcess::LabProcess(const std::string& folder, const std::vector<std::string>& words) : folder_(folder) {
  make_log(folder + kLog);
  static const bool nobodys = ::geteuid() == 0 && nobody_can(folder, words);
  make_log(folder + kLog);
  try {
    if (nobodys && !hand_over(folder)) {
      throw HarnessError(folder + ": cannot be given to nobody: " + system_text(errno));
    }
    Started started = start(folder, words, folder + kLog);
    lab_ = std::move(started.lab);
    lifeline_ = started.lifeline;
  } catch (...) {
    take_back(folder);
    throw;
  }
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
  return words_of(folder_);
}

}  // namespace holdfast
