#include "explore/replay_file.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "artifact/error.hpp"
#include "artifact/json_fields.hpp"
#include "artifact/json_text.hpp"
#include "lock/lock.hpp"

namespace holdfast {
namespace {

std::string value_text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : text_of_json(value);
}

// The settings by name, as in their JSON: one list for both.
void set(nlohmann::json& settings, const std::string& key, const std::string& value) {
  if (!settings.contains(key)) {
    std::vector<std::string> known;
    for (const auto& [name, unused] : settings.items()) known.push_back(name);
    throw BadInput(unknown_word("key", key, known));
  }
  auto& place = settings[key];
  const bool digits = !value.empty() && value.size() <= 6 && value.find_first_not_of("0123456789") == value.npos;
  if (place.is_string()) {
    place = value;
  } else if (place.is_boolean() && (value == "true" || value == "false")) {
    place = value == "true";
  } else if (place.is_number() && digits) {
    place = std::stoul(value);
  } else {
    throw BadInput(key + ": '" + value + "' is not " + (place.is_boolean() ? "true or false" : "a number from 0 on"));
  }
}

}  // namespace

std::string to_text(const ReplayFile& replay) {
  const auto defaults = to_json(ExploreSettings{});
  const auto settings = to_json(replay.settings);
  std::string out = replay.about.empty() ? "" : "# " + replay.about + "\n";
  out += "lock " + replay.settings.lock + "\n";
  for (const auto& [key, value] : settings.items()) {
    if (key != "lock" && value != defaults.at(key)) out += key + " " + value_text(value) + "\n";
  }
  return out + "schedule " + to_text(replay.words) + "\n";
}

ReplayFile parse_replay(const std::string& text, const std::string& file) {
  ReplayFile out;
  auto settings = to_json(ExploreSettings{});
  if (text.find_first_not_of(" \t\r\n") != std::string::npos && text[text.find_first_not_of(" \t\r\n")] == '{') {
    throw BadInput(file + ": this is JSON, not a replay file; run a scenario with: holdfast run " + file);
  }
  std::istringstream in(text);
  int number = 0;
  bool schedule = false;
  for (std::string line; std::getline(in, line);) {
    ++number;
    try {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      const auto blank = line.find(' ');
      const std::string key = line.substr(0, blank);
      const std::string value = blank == std::string::npos ? "" : line.substr(blank + 1);
      if (key.empty() || key[0] == '#') continue;
      if (key == "schedule") {
        const auto words = parse_words(value);
        out.words.insert(out.words.end(), words.begin(), words.end());
        schedule = true;
        continue;
      }
      if (key == "lock") parse_lock_ref(value);
      set(settings, key, value);
    } catch (const BadInput& wrong) {
      throw BadInput(file + ":" + std::to_string(number) + ": " + wrong.what());
    }
  }
  out.settings = from_json<ExploreSettings>(settings);
  if (out.settings.lock.empty()) throw BadInput(file + ": no lock; remedy: add a line 'lock NAME'");
  if (!schedule) throw BadInput(file + ": no schedule; remedy: add a line 'schedule A B A'");
  const auto clients = out.settings.clients;
  if (clients < 1 || clients > 6) throw BadInput(file + ": clients: must be from 1 to 6");
  return out;
}

ReplayFile load_replay(const std::string& file) {
  return parse_replay(read_text_file(file), file);
}

}  // namespace holdfast
