#include "cli/command.hpp"

#include <csignal>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <system_error>
#include <vector>

#include "lab/process.hpp"

namespace holdfast {
namespace {

std::atomic<bool> noted{false};

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { noted.store(true); };
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(number, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  return noted;
}

namespace {

// The program is bin/holdfast of an installation, or build/NAME/holdfast of a source tree.
std::vector<std::filesystem::path> places_of_data() {
  const std::filesystem::path program = std::filesystem::path(own_program()).parent_path();
  return {program / "../share/holdfast", program / "../.."};
}

}  // namespace

std::string shipped_folder(const std::string& name) {
  std::error_code none;
  for (const auto& data : places_of_data()) {
    if (!std::filesystem::exists(data / "scenarios", none)) continue;
    if (std::filesystem::is_directory(data / name, none)) return (data / name).lexically_normal().string();
  }
  return "";
}

std::string find_suite(const std::string& named) {
  namespace fs = std::filesystem;
  std::error_code none;
  if (fs::exists(named, none)) return named;
  if (fs::exists(named + ".json", none)) return named + ".json";
  if (fs::path(named).is_absolute()) return named;
  for (const fs::path& data : places_of_data()) {
    if (!fs::exists(data / "scenarios", none)) continue;
    for (const fs::path& found : {data / "scenarios" / named, data / named}) {
      for (const std::string& file : {found.string(), found.string() + ".json"}) {
        if (fs::exists(file, none)) return fs::path(file).lexically_normal().string();
      }
    }
  }
  return named;
}

}  // namespace holdfast
