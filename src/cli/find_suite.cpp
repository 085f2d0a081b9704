#include "cli/find_suite.hpp"

#include <filesystem>
#include <initializer_list>

#include "lab/process.hpp"

namespace holdfast {

// The program is bin/holdfast of an installation, or build/NAME/holdfast of a source tree.
std::string find_suite(const std::string& named) {
  namespace fs = std::filesystem;
  std::error_code none;
  if (fs::exists(named, none)) return named;
  if (fs::exists(named + ".json", none)) return named + ".json";
  if (fs::path(named).is_absolute()) return named;
  const fs::path program = fs::path(own_program()).parent_path();
  for (const fs::path& data : {program / "../share/holdfast", program / "../.."}) {
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
