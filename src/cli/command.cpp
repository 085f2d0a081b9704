#include "cli/command.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "cli/terminal.hpp"
#include "lab/process.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

std::atomic<bool> noted{false};

// The program is bin/holdfast of an installation, or build/NAME/holdfast of a source tree.
std::vector<std::filesystem::path> places_of_data() {
  const std::filesystem::path program = std::filesystem::path(own_program()).parent_path();
  return {program / "../share/holdfast", program / "../.."};
}

// Says where a folder that comes with the program was looked for.
std::string missing_data(const std::string& folder) {
  std::string places;
  for (const auto& place : places_of_data()) {
    places += (places.empty() ? "" : " or ") + (place / folder).lexically_normal().string();
  }
  return "the folders that come with the program are missing: there is no " + places;
}

// Suggests a correction for a name that was not found.
std::string meant(const std::string& named) {
  if (find_entry(locks(), named) != nullptr) {
    return "; this is a lock; remedy: holdfast run generated --lock " + named + ", or a suite with --only '" + named +
           "/*'";
  }
  const auto known = shipped_suites();
  const std::string beneath = named.rfind("scenarios/", 0) == 0 ? "scenarios/" : "";
  const std::string near = nearest(named.substr(beneath.size()), known);
  if (!near.empty()) return " (did you mean '" + beneath + near + "'?)";
  std::string suites;
  for (const auto& name : known) {
    if (name.find('/') == std::string::npos) suites += " " + name;
  }
  if (suites.empty()) return "; " + missing_data("scenarios") + "; remedy: give a path, or install holdfast again";
  return "; remedy: give a path, or one of the built-in folders:" + suites;
}

// Returns the path of an installed folder or scenario; empty: there is none.
std::string shipped_suite(const std::string& named) {
  namespace fs = std::filesystem;
  std::error_code none;
  for (const fs::path& data : places_of_data()) {
    if (!fs::exists(data / "scenarios", none)) continue;
    for (const fs::path& found : {data / "scenarios" / named, data / named}) {
      for (const std::string& file : {found.string(), found.string() + ".json"}) {
        if (fs::exists(file, none)) return fs::path(file).lexically_normal().string();
      }
    }
  }
  return "";
}

// Returns true for "quick", "quick/kill" or "scenarios/quick".
bool is_name_of_suite(const std::string& named) {
  constexpr std::string_view kFolder = "scenarios/";
  const std::string below = named.rfind(kFolder, 0) == 0 ? named.substr(kFolder.size()) : named;
  const auto all = shipped_suites();
  return std::find(all.begin(), all.end(), below) != all.end();
}

// A folder of the user's that happens to have a suite's name has no scenario.
bool may_hold_scenarios(const std::string& named) {
  namespace fs = std::filesystem;
  std::error_code none;
  if (!fs::is_directory(named, none)) return true;
  for (fs::recursive_directory_iterator at(named, none), end; !none && at != end; at.increment(none)) {
    if (at->path().extension() == ".json") return true;
    if (at.depth() > 0) at.disable_recursion_pending();  // as a suite is read: one level of subfolders
  }
  return static_cast<bool>(none);  // what cannot be read may hold some
}

// A run's folder and a log are results, not scenarios.
void refuse_result(const std::string& named) {
  namespace fs = std::filesystem;
  std::error_code none;
  if (fs::is_regular_file(fs::path(named) / "run.json", none)) {
    throw BadInput(named + ": is a run's folder, not a suite; remedy: holdfast report " + named +
                   ", or holdfast run --resume " + named);
  }
  const std::string kind = fs::path(named).extension().string();
  if (kind == ".jsonl" || kind == ".edn") {
    throw BadInput(named + ": is a log of calls, not a suite; remedy: holdfast check " + named);
  }
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) {
    noted.store(true);
    tell_stopping();
  };
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return noted;
}

bool was_interrupted() {
  return noted.load();
}

std::string shipped_folder(const std::string& name) {
  std::error_code none;
  for (const auto& data : places_of_data()) {
    if (!std::filesystem::exists(data / "scenarios", none)) continue;
    if (std::filesystem::is_directory(data / name, none)) return (data / name).lexically_normal().string();
  }
  return "";
}

std::string needed_folder(const std::string& name) {
  std::string found = shipped_folder(name);
  if (!found.empty()) return found;
  throw HarnessError(missing_data(name) + "; remedy: install holdfast again, and start the program where it is");
}

std::vector<std::string> shipped_suites() {
  namespace fs = std::filesystem;
  std::vector<std::string> out;
  const fs::path folder = shipped_folder("scenarios");
  std::error_code none;
  for (fs::recursive_directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) {
    const bool suite = at->is_directory(none);
    if (!suite && at->path().extension() != ".json") continue;
    const std::string name = fs::path(at->path()).replace_extension().lexically_relative(folder).string();
    out.push_back(name);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string find_suite(const std::string& named) {
  namespace fs = std::filesystem;
  std::error_code none;
  const std::string shipped = fs::path(named).is_absolute() ? "" : shipped_suite(named);
  if (fs::exists(named, none) && (shipped.empty() || !is_name_of_suite(named) || may_hold_scenarios(named))) {
    refuse_result(named);
    return named;
  }
  if (fs::exists(named + ".json", none)) return named + ".json";
  if (!shipped.empty()) return shipped;
  if (fs::path(named).is_absolute()) return named;
  if (fs::path(named).extension() == ".json") return named;
  throw BadInput(named + ": no such folder or scenario" + meant(named));
}

}  // namespace holdfast
