#include "lab/launch_lab.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/input_file.hpp"
#include "artifact/plain_file.hpp"
#include "lab/namespaces.hpp"
#include "lab/process.hpp"
#include "lab/server_logs.hpp"

namespace holdfast {
namespace {

constexpr const char* kLog = "/lab.log";
constexpr int kEndLook_ms = 50;
constexpr std::int64_t kPatience_ms = 5'000;  // wait after a requested end

// Runs however the function ends.
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

Started start(const LabOrder& order, const std::string& part) {
  int line[2];
  if (::pipe2(line, O_CLOEXEC) != 0) throw HarnessError(std::string("pipe: ") + system_text(errno));
  Spawn spawn;
  spawn.argv = {own_program(), "lab", "--part", part};
  const auto words = words_of(order);
  spawn.argv.insert(spawn.argv.end(), words.begin(), words.end());
  spawn.keep_input = true;
  spawn.privileged = true;
  spawn.environment = order.environment;
  spawn.descriptors[STDIN_FILENO] = line[0];
  spawn.log = order.folder + kLog;
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

std::string last_words_in(const std::string& folder) {
  const auto [own, any] = last_words(folder + kLog);
  if (!own.empty()) return own;
  return "the lab exited without output" + (any.empty() ? "" : "; last: " + any) + "; see " + folder + kLog;
}

// Returns the exit code of an empty lab, created like the real ones.
int try_empty_lab(LabOrder order) {
  order.time = TimeMode::real;  // no program in it waits
  Started one = start(order, "nothing");
  const int code = one.lab.wait(-1).value_or(kExitHarness);
  ::close(one.lifeline);
  ::rmdir((order.folder + "/lab").c_str());
  return code;
}

// Returns true if the machine refuses the lab, or the lab's user may not execute the program or a server.
bool is_refusal(int code) {
  constexpr int kNotExecuted = 126;  // and 127
  return code == kExitUnavailable || code == kExitUsage || code == kNotExecuted || code == kNotExecuted + 1;
}

bool is_answer(int code) {
  return code == 0 || is_refusal(code);
}

// An empty lab that ended for another reason, for example killed, proves nothing and is tried again: such an end must
// not make all other labs run as root.
bool nobody_can(const LabOrder& order) {
  const OwnAgain own_again(order.folder);
  if (!hand_over(order.folder)) return false;
  int code = try_empty_lab(order);
  if (!is_answer(code)) code = try_empty_lab(order);
  if (!is_answer(code)) throw HarnessError("test of an empty lab: " + last_words_in(order.folder));
  return code == 0;
}

// Returns true if the lab can run as the user nobody, who must be able to enter the folders of its servers and its
// adapter. Tried once for each combination of these.
bool can_run_as_nobody(const LabOrder& order) {
  if (::geteuid() != 0) return false;
  static std::mutex mutex;
  static std::map<std::pair<std::vector<std::string>, std::vector<std::string>>, bool> known;
  const std::lock_guard guard(mutex);
  const auto key = std::pair(order.servers, order.adapter);
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, nobody_can(order)).first->second;
}

// Created here, because the lab's programs append to it by name. Emptied: an earlier lab's log is not relevant.
void make_log(const std::string& path) {
  open_plain_file(path, FileUse::write);
}

class Lab {
 public:
  explicit Lab(const LabOrder& order) : folder_(order.folder), memory_(order.folder + "/lab") {
    make_log(folder_ + kLog);
    const bool nobodys = can_run_as_nobody(order);
    make_log(folder_ + kLog);
    try {
      if (nobodys && !hand_over(folder_)) {
        throw HarnessError(folder_ + ": cannot be given to the user nobody: " + system_text(errno));
      }
      Started started = start(order, order.part);
      lab_ = std::move(started.lab);
      lifeline_ = started.lifeline;
    } catch (...) {
      take_back(folder_);
      throw;
    }
  }
  Lab(const Lab&) = delete;
  Lab& operator=(const Lab&) = delete;
  ~Lab() {
    end();
    wait(-1);
  }

  std::optional<int> wait(int timeout_ms) {
    const auto code = lab_.wait(timeout_ms);
    if (!code || ended_) return code;
    ended_ = true;
    ::rmdir(memory_.c_str());
    take_back(folder_);
    return code;
  }

  // Ends the lab immediately; it has little left to do.
  void end() {
    if (lifeline_ >= 0) ::close(lifeline_);
    lifeline_ = -1;
  }

  double cpu_seconds() const { return lab_.cpu_seconds(); }

 private:
  std::string folder_;
  std::string memory_;  // a path for the destructor, allocated while there is memory
  int lifeline_ = -1;
  Process lab_;
  bool ended_ = false;
};

using Clock = std::chrono::steady_clock;

bool over(const Clock::time_point& begin, std::int64_t ms) {
  return Clock::now() - begin > std::chrono::milliseconds(ms);
}

// Ends the lab when requested; if it should end by itself first, then after the time for that.
void interrupt(Lab& lab, const LabWatch& watch, std::optional<Clock::time_point>& asked) {
  if (watch.ask_to_end && !asked) {
    asked = Clock::now();
    watch.ask_to_end();
  }
  if (!asked || over(*asked, kPatience_ms)) lab.end();
}

}  // namespace

std::vector<std::string> words_of(const LabOrder& order) {
  std::vector<std::string> out{"--folder", order.folder};
  if (order.time != TimeMode::real) out.insert(out.end(), {"--time", to_text(order.time)});
  if (!order.sabotage.empty()) out.insert(out.end(), {"--sabotage", order.sabotage});
  for (const auto& server : order.servers) out.insert(out.end(), {"--server", server});
  if (!order.target.empty()) out.insert(out.end(), {"--target", order.target});
  for (const auto& host : order.hosts) out.insert(out.end(), {"--host", host});
  out.insert(out.end(), order.adapter.begin(), order.adapter.end());
  return out;
}

LabEnd launch_lab(const LabOrder& order, const LabWatch& watch) {
  const auto begin = Clock::now();
  Lab lab(order);
  ServerLogs logs(order.folder);
  LabEnd out;
  std::optional<Clock::time_point> asked;
  while (!lab.wait(kEndLook_ms)) {
    logs.look();
    if (watch.look) watch.look();
    if (watch.interrupted != nullptr && watch.interrupted->load()) interrupt(lab, watch, asked);
    out.late = out.late || (watch.limit_ms > 0 && over(begin, watch.limit_ms));
    if (out.late) lab.end();
  }
  logs.finish();
  if (watch.look) watch.look();
  out.exit_code = *lab.wait(0);
  out.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  out.cpu_seconds = lab.cpu_seconds();
  if (out.exit_code != 0) out.last_words = last_words_in(order.folder);
  return out;
}

LastWords last_words(const std::string& log) {
  static const std::string kOwn = "holdfast: ";
  LastWords out;
  std::istringstream in;
  try {
    const InputFile file = InputFile::stored(log);
    if (file.is_there()) in.str(file.tail(kEndOfLog));
  } catch (const BadInput& refused) {  // something else has replaced it
    out.own = refused.what();
  }
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(kOwn, 0) == 0) out.own = line.substr(kOwn.size());
    if (!line.empty()) out.any = line;
  }
  return out;
}

}  // namespace holdfast
