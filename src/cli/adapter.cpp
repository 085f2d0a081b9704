// `holdfast adapter new` creates a working adapter. `holdfast adapter check` reports an adapter's mistakes with
// remedies.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "adapter/command_words.hpp"
#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/shell_command.hpp"
#include "cli/command.hpp"
#include "cli/help_text.hpp"
#include "cli/output.hpp"
#include "cli/terminal.hpp"
#include "doctor/resources.hpp"
#include "lock/added_locks.hpp"
#include "reports/progress_text.hpp"
#include "runner/adapter_lab.hpp"
#include "servers/server_type.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlace = "@NAME@";  // placeholder for the lock's name in a template
constexpr const char* kProgram = "@PROGRAM@";

std::string templates_folder() {
  return needed_folder("adapters") + "/templates";
}

std::vector<std::string> languages() {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(templates_folder())) {
    if (entry.is_directory()) out.push_back(entry.path().filename().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string with_word(std::string text, const std::string& place, const std::string& word) {
  for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + word.size())) {
    text.replace(at, place.size(), word);
  }
  return text;
}

// The folder must be new, so no existing file is overwritten.
void copy_template(const std::string& language, const std::string& name, const std::string& folder) {
  if (!fs::create_directory(folder))
    throw BadInput(folder + ": already exists; remedy: choose another name, or remove it");
  for (const auto& entry : fs::directory_iterator(templates_folder() + "/" + language)) {
    if (!entry.is_regular_file()) continue;
    const std::string file = folder + "/" + entry.path().filename().string();
    const std::string text = with_word(read_text_file(entry.path().string()), kPlace, name);
    write_text_file(file, with_word(text, kProgram, ShellCommand(program_as_typed()).text()));
    fs::permissions(file, entry.status().permissions() | fs::perms::owner_write);
  }
}

struct NewFlags {
  std::string language;
  std::string name;
};

void make_new(const NewFlags& flags) {
  const auto known = languages();
  if (std::find(known.begin(), known.end(), flags.language) == known.end()) {
    throw BadInput(unknown_word("language", flags.language, known));
  }
  if (!is_lock_name(flags.name)) {
    throw BadInput("'" + flags.name +
                   "' is not a valid lock name; remedy: use lower-case letters and digits, joined by '_', such as "
                   "my_lock");
  }
  if (find_entry(catalogue_locks(), flags.name) != nullptr) {
    throw BadInput("'" + flags.name + "' is the name of a built-in lock; remedy: choose another name");
  }
  copy_template(flags.language, flags.name, flags.name);
  const std::string manifest = flags.name + "/lock.json";
  const Manifest made = load_manifest(manifest, entry_names(server_types()));
  const std::string program = ShellCommand(program_as_typed()).text();
  say("{}: a working adapter; replace its lock with yours\n", flags.name);
  if (!made.install.empty()) say("  1. install packages:      {}\n", made.install);
  say("  2. check the protocol:     {} adapter check {}\n", program, manifest);
  say("  3. test the lock:         {} try {}\n", program, manifest);
}

struct CheckFlags {
  std::string manifest;
  bool json = false;
};

std::string added_lock(const std::string& given) {
  add_locks({.manifests = {given}, .commands = {}});
  read_added_lock_texts();
  return locks().back().name;
}

// Rules that were not tried are printed together at the end; all others as soon as they are done.
void print_rule(const TriedRule& rule) {
  if (rule.found == Found::skipped) return;
  say("{}\n", terminal_message(rule.text));
  std::fflush(stdout);
}

// Shows a slow rule: on a terminal a line that is updated each second, elsewhere a line every few seconds.
class RuleProgress {
 public:
  RuleProgress(const Manifest& manifest, bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0) {
    if (quiet_) return;
    tell(
        "checking {}: starting it takes at most {} s and each rule at most 30 s (four times as long on a busy "
        "machine)\n",
        manifest.name, (manifest.start_ms + 999) / 1000);
    std::fflush(stderr);
  }

  void tries(const std::string& rule) {
    if (rule != timer_.rule()) clear();
    const auto line = timer_.tries(rule, ProgressClock::now());
    if (quiet_ || !line) return;
    tell("{}{}{}", terminal_ ? kClearLine : Literal(""), *line, terminal_ ? Literal("") : Literal("\n"));
    std::fflush(stderr);
    shown_ = terminal_;
  }

  void clear() {
    if (std::exchange(shown_, false)) tell("{}", kClearLine);
    std::fflush(stderr);
  }

 private:
  static constexpr auto kOften = std::chrono::seconds(1);
  static constexpr auto kSeldom = std::chrono::seconds(5);
  static constexpr Literal kClearLine = "\r\033[K";

  bool quiet_;
  bool terminal_;
  bool shown_ = false;  // a terminal line is to be cleared
  RuleTimer timer_{terminal_ ? kOften : kSeldom, ProgressClock::now()};
};

// Prints one line per reason, for example "does not say that it can".
void print_skipped(const std::vector<TriedRule>& rules) {
  std::map<std::string, std::string> names;
  for (const auto& rule : rules) {
    if (rule.found != Found::skipped) continue;
    const bool cannot = rule.why.find("does not say that it can") != std::string::npos;
    std::string& all = names[cannot ? "lock.json does not say that it can" : rule.why];
    all += (all.empty() ? "" : ", ") + rule.rule;
  }
  for (const auto& [why, all] : names) say("SKIPPED ({}): {}\n", terminal_message(why), terminal_message(all));
}

void print_summary(const AdapterLabEnd& end, const std::vector<TriedRule>& rules) {
  const auto skipped =
      std::count_if(rules.begin(), rules.end(), [](const auto& rule) { return rule.found == Found::skipped; });
  const char* word = end.wrong > 0 ? "WRONG" : end.undecided > 0 ? "UNDECIDED" : "OK";
  const std::string undecided = end.undecided > 0 ? fmt::format("{} undecided, ", end.undecided) : "";
  print_skipped(rules);
  say("{}  {} of {} rules wrong, {}{} skipped\n", word, end.wrong, end.rules, undecided, skipped);
}

AdapterLabEnd checked_in_lab(const CheckFlags& flags, const std::string& lock, std::vector<TriedRule>& rules) {
  const Manifest& manifest = *lock_type(lock).manifest;
  found_command(manifest);  // throws if something is missing
  const ScratchFolder folder;
  RuleProgress progress(manifest, flags.json);
  AdapterLabWatch watch;
  watch.try_command = ShellCommand(program_as_typed()).literal("try").word(flags.manifest).text();
  watch.tries = [&](const std::string& rule) { progress.tries(rule); };
  watch.told = [&](const TriedRule& rule) {
    rules.push_back(rule);
    progress.clear();
    if (!flags.json) print_rule(rule);
  };
  AdapterLabEnd end = check_adapter_in_lab(folder.path(), lock, catch_interrupts(), watch);
  progress.clear();
  return end;
}

int check_one(const CheckFlags& flags) {
  const std::string lock = added_lock(flags.manifest);
  std::vector<TriedRule> rules;
  const AdapterLabEnd end = checked_in_lab(flags, lock, rules);
  if (was_interrupted()) {
    tell_error("interrupted; the remaining rules were not checked");
    return kExitInterrupted;
  }
  if (end.exit_code == kExitUnavailable) throw Unavailable(end.error);
  if (end.exit_code != 0) throw HarnessError(end.error);
  if (end.rules == 0) throw HarnessError("no rule was checked");
  if (flags.json) {
    print_json(nlohmann::json{{"holdfast_adapter_check", 1},
                              {"lock", lock},
                              {"wrong", end.wrong},
                              {"undecided", end.undecided},
                              {"rules", json_of(rules)}});
  } else {
    print_summary(end, rules);
  }
  if (end.wrong > 0) return kExitNotAsExpected;
  return end.undecided > 0 ? kExitUndecided : kExitAsExpected;
}

}  // namespace

void add_adapter(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("adapter", "Test a lock in another language: create an adapter, check its protocol");
  give_examples(command, {"holdfast adapter new python my_lock", "holdfast adapter check my_lock"});
  command->require_subcommand(1);
  CLI::App* make = command->add_subcommand("new", "Create a folder with a working adapter to start from");
  auto made = std::make_shared<NewFlags>();
  make->add_option("LANGUAGE", made->language, "python, node, java, go or shell")->required();
  make->add_option("NAME", made->name, "Name of the lock and of its folder")->required();
  make->callback([made] { make_new(*made); });
  CLI::App* check = command->add_subcommand("check",
                                            "Check that an adapter follows the protocol; print each mistake "
                                            "with its remedy");
  auto checked = std::make_shared<CheckFlags>();
  check->add_option("MANIFEST", checked->manifest, "The adapter's lock.json, or the folder that has it")->required();
  check->add_flag("--json", checked->json, "As JSON");
  check->callback([checked, &exit_code] { exit_code = check_one(*checked); });
}

}  // namespace holdfast
