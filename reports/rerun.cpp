#include "reports/rerun.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "artifact/shell_command.hpp"

namespace holdfast {
namespace {

constexpr const char* kOtherSeeds = "1..5";

bool is_ours(const std::string& word) {
  return word == "run" || word == "replay" || word == "explore" || word == "compare" || word == "libraries";
}

// The command without what says which of the cells it is for: `--only PATTERN`, `--only=PATTERN`, `--shard 2/4`.
std::vector<std::string> without_choice(const std::vector<std::string>& words) {
  const auto chooses = [](const std::string& flag) {
    return flag == "--only" || flag == "--shard" || flag == "--durations";
  };
  std::vector<std::string> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (chooses(words[i])) {
      ++i;
    } else if (!chooses(words[i].substr(0, words[i].find('=')))) {
      out.push_back(words[i]);
    }
  }
  return out;
}

// A suite's name must not be read as a flag.
std::vector<std::string> run_of(const std::string& suite) {
  return {"holdfast", "run", suite.starts_with('-') ? "./" + suite : suite};
}

// A flag that names the user's own lock.
bool names_lock(const std::string& flag) {
  return flag == "--lock-file" || flag == "--adapter" || flag == "--adapter-command";
}

// `words`: the run's command.
std::string search_of_lock(const std::vector<std::string>& words, const std::string& lock) {
  ShellCommand out;
  const auto run = std::find(words.begin() + 1, words.end(), "run");
  for (auto word = words.begin(); word != run; ++word) out.word(*word);
  out.literal("explore").word(lock);
  for (auto word = run; word != words.end() && word + 1 != words.end(); ++word) {
    if (names_lock(*word)) out.word(*word).word(*(word + 1));
  }
  return out.text();
}

// The command of a search, for one of its locks.
std::vector<std::string> search_of_one(const std::vector<std::string>& words, const Cell& cell) {
  const auto explore = std::find(words.begin(), words.end(), "explore");
  if (explore == words.end()) return words;
  std::vector<std::string> out(words.begin(), explore + 1);
  out.push_back(cell.lock);
  const auto flags = std::find_if(explore, words.end(), [](const auto& word) { return word.starts_with("--"); });
  std::copy_if(flags, words.end(), std::back_inserter(out), [](const auto& word) { return word != "--all"; });
  return without_choice(out);
}

ShellCommand without_seed(const std::vector<std::string>& words) {
  ShellCommand out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string flag = words[i].substr(0, words[i].find('='));
    const bool seeds = flag == "--seed" || flag == "--seeds" || flag == "--repeat";
    if (!seeds) out.word(words[i]);
    if (seeds && flag == words[i]) ++i;
  }
  return out;
}

}  // namespace

std::string stored_command(const std::string& command, const std::string& program) {
  const auto words = shell_words(command);
  const auto first = std::find_if(words.begin(), words.end(), is_ours);
  if (first == words.end()) return "";
  ShellCommand out(program);
  std::for_each(first, words.end(), [&out](const std::string& word) { out.word(word); });
  return out.text();
}

// Only `run` takes a cell; an exploration takes its lock, and a replay is repeated as it was.
std::string rerun_command(const RunVerdict& run, const Cell& cell) {
  std::vector<std::string> words = shell_words(run.command);
  if (words.empty()) words = run_of(run.suite);
  const bool takes_cell = std::find(words.begin() + 1, words.end(), "run") != words.end();
  if (takes_cell && is_explored(cell)) return search_of_lock(words, cell.lock);  // a run has no such cell
  if (takes_cell) words = without_choice(words);
  if (!takes_cell && is_explored(cell)) words = search_of_one(words, cell);
  ShellCommand out;
  for (const auto& word : words) out.word(word);
  if (!takes_cell) return out.text();
  // The seed with which nothing was decided, or a flaw was not seen, would show the same again.
  const bool open =
      cell.outcome == Outcome::undecided || cell.outcome == Outcome::nothing_judged || cell.outcome == Outcome::missed;
  const auto has = [&words](const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
  const bool takes_seeds = !has("libraries") && !has("--confidence");
  if (open && takes_seeds)
    return without_seed(words).flag("--seeds", kOtherSeeds).flag("--only", cell.lock + "/" + cell.scenario).text();
  if (out.text().find("--seed") == std::string::npos) out.flag("--seed", std::to_string(run.seed));
  return out.flag("--only", cell.lock + "/" + cell.scenario).text();
}

std::string search_command(const RunVerdict& run, const Cell& cell) {
  std::vector<std::string> words = shell_words(run.command);
  if (words.empty()) words = run_of(run.suite);
  const auto has = [&words](const char* word) {
    return std::find(words.begin() + 1, words.end(), word) != words.end();
  };
  if (!has("run") || has("libraries") || has("--target")) return "";
  return search_of_lock(words, cell.lock);
}

}  // namespace holdfast
