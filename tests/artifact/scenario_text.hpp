// Scenarios from text, for tests of what is read and what is refused.
#pragma once

#include <string>

#include "artifact/scenario.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {

inline Scenario loaded(const std::string& text) {
  const TemporaryFolder folder;
  return load_scenario(folder.write("suite_a/col.json", text));
}

// The refusal without the folder's name: "col.json:3: ...".
inline std::string scenario_refusal(const std::string& text) {
  const std::string why = refusal([&] { loaded(text); });
  const auto file = why.find("col.json");
  return file == std::string::npos ? why : why.substr(file);
}

// A scenario of locks a and b with these further lines; keys given replace nothing, so give each once.
inline std::string with(const std::string& lines, const std::string& expect = R"("expect": {})") {
  return "{\"locks\": [\"a\", \"b\"],\n" + lines + (lines.empty() ? "" : ",\n") + expect + "}";
}

}  // namespace holdfast
