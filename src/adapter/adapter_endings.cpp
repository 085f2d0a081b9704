// Rules for how an adapter ends; each uses a newly started one.
#include <dirent.h>
#include <algorithm>
#include <cctype>
#include <csignal>
#include <fstream>
#include <map>

#include "adapter/adapter_rules.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kGoneWithin_ms = 2'000;

struct ProcessFacts {
  pid_t parent = 0;
  char state = 'X';
  std::string began;  // start time, to detect reuse of the process number
};

// Fields of /proc/PID/stat after the name: state, parent, ..., and field 22 of the line, the start time.
ProcessFacts facts_of(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(in, text);
  const auto paren = text.rfind(')');
  if (paren == std::string::npos) return {};
  std::istringstream fields(text.substr(paren + 1));
  ProcessFacts facts;
  fields >> facts.state >> facts.parent;
  for (int place = 5; place <= 22; ++place) fields >> facts.began;
  return facts;
}

std::vector<pid_t> all_pids() {
  std::vector<pid_t> pids;
  DIR* folder = ::opendir("/proc");
  if (folder == nullptr) return pids;
  while (const dirent* entry = ::readdir(folder)) {  // NOLINT(concurrency-mt-unsafe): the folder is ours alone
    if (std::isdigit(static_cast<unsigned char>(entry->d_name[0])) != 0) pids.push_back(std::stoi(entry->d_name));
  }
  ::closedir(folder);
  return pids;
}

// All descendants of a process, with their start times.
std::map<pid_t, std::string> descendants_of(pid_t root) {
  std::map<pid_t, ProcessFacts> all;
  for (const pid_t pid : all_pids()) all[pid] = facts_of(pid);
  std::map<pid_t, std::string> found;
  for (bool more = true; more;) {
    more = false;
    for (const auto& [pid, facts] : all) {
      if ((facts.parent == root || found.count(facts.parent) != 0) && found.emplace(pid, facts.began).second)
        more = true;
    }
  }
  return found;
}

std::string names_of_those_left(const std::map<pid_t, std::string>& before) {
  std::string left;
  for (const auto& [pid, began] : before) {
    const ProcessFacts now = facts_of(pid);
    if (now.began == began && now.state != 'Z' && now.state != 'X') {
      left += (left.empty() ? "" : ", ") + std::to_string(pid);
    }
  }
  return left;
}

RuleFinding ended(const AdapterProgram& program, const AdapterFarewell& farewell, const std::string& after,
                  bool clean) {
  if (const auto error = program.error()) throw AdapterError(*error);
  if (farewell.by_itself && (!clean || farewell.end.clean())) return RuleFinding::good();
  RuleFinding wrong;
  if (!farewell.by_itself) {
    wrong = RuleFinding::wrong("after " + after + " it continued to run, and was killed", "a normal exit",
                               "exit when standard input ends, even if a thread of the library is still running");
    if (farewell.starved) wrong.excused("the machine was starved: the adapter hardly got a processor");
  } else {
    wrong = RuleFinding::wrong("after " + after + " it " + farewell.end.text(), "exit with code 0",
                               "exit with 0 after `bye`");
  }
  wrong.said = program.last_lines();
  return wrong;
}

RuleFinding ends_at_bye(AdapterTalk& talk) {
  const auto program = talk.fresh(0);
  return ended(*program, program->end(), "bye", true);
}

// Also while holding a grant: a client that dies only closes the pipe.
RuleFinding ends_at_end_of_file(AdapterTalk& talk) {
  const auto program = talk.fresh(0);
  const AdapterMessage asked = talk.acquire(talk.next_key());
  const AdapterSaid answer = program->ask(asked);
  const bool is_asked = !talk.manifest().schedules();
  if (is_asked) {
    if (auto wrong = talk.expect_said(asked, answer, {MessageName::ok}, "grant a free lock")) return *wrong;
  }
  return ended(*program, program->end(false), "the end of its input", false);
}

RuleFinding leaves_nothing_behind(AdapterTalk& talk) {
  const auto program = talk.fresh(0);
  program->ask(talk.acquire(talk.next_key()));
  const auto before = descendants_of(program->pid());
  program->signal(SIGKILL);
  std::string left;
  const auto gone = talk.within(kGoneWithin_ms, [&] { return (left = names_of_those_left(before)).empty(); });
  program->end(false);
  if (left.empty()) return RuleFinding::good();
  for (const auto& [pid, began] : before) {
    if (facts_of(pid).began == began) ::kill(pid, SIGKILL);
  }
  return RuleFinding::wrong("after kill -9 of its process group, these of its processes still ran: " + left, "none",
                            "start no process in a separate session or group (setsid, daemon)")
      .excused(gone.excuse);
}

}  // namespace

std::vector<AdapterRule> ending_rules() {
  return {
      {"bye", "it exits with 0 after bye", "", ends_at_bye},
      {"end_of_file", "it exits when its input ends", "", ends_at_end_of_file},
      {"killed", "no process of it survives kill -9 of its group", "", leaves_nothing_behind},
  };
}

}  // namespace holdfast
