// A result's file that an earlier run wrote and somebody may have cut short since.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/run_verdict.hpp"

namespace holdfast {

// The file of a run's folder that is written last. Throws BadInput that says what the folder is instead, with a remedy.
std::string verdict_file(const std::string& folder);

// The verdict of a run's folder, whose trials lie where the names of their cells say: no file says where to look.
// Throws BadInput.
RunVerdict stored_run(const std::string& folder);

// read(json of the file); whatever is wrong with it becomes BadInput that names the file.
template <typename Read>
auto read_stored(const std::string& file, Read read) {
  const std::string text = read_text_file(file);
  try {
    return read(nlohmann::json::parse(text));
  } catch (const std::exception& broken) {
    throw BadInput(file + ": " + broken.what());
  }
}

}  // namespace holdfast
