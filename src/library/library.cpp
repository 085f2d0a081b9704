#include "library/library.hpp"

#include <algorithm>
#include <filesystem>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"
#include "artifact/plain_file.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "library.json";
constexpr std::size_t kLongestVersion = 60;

std::string needed(ObjectReader& in, const char* key) {
  std::string out = in.required(key, in.text(key));
  if (out.empty()) in.node(key)->refuse("is empty; remedy: fill it in");
  return out;
}

bool is_version(const std::string& text) {
  const auto good = [](char letter) {
    const bool small = letter >= 'a' && letter <= 'z';
    const bool large = letter >= 'A' && letter <= 'Z';
    return small || large || (letter >= '0' && letter <= '9') || letter == '.' || letter == '-' || letter == '+';
  };
  return !text.empty() && text.size() <= kLongestVersion && text.front() != '-' &&
         std::all_of(text.begin(), text.end(), good);
}

}  // namespace

Library load_library(const std::string& folder) {
  const std::string file = (fs::path(folder) / kFile).string();
  const JsonNode root = parse_json_text(read_text_file(file), file);
  ObjectReader in(root);
  Library out;
  out.folder = folder;
  out.name = needed(in, "name");
  out.title = needed(in, "title");
  out.language = needed(in, "language");
  out.package = needed(in, "package");
  out.version = needed(in, "version");
  out.licence = needed(in, "licence");
  out.home = needed(in, "home");
  out.note = in.text("note").value_or("");
  in.finish();
  if (out.name != fs::path(folder).filename().string()) in.node("name")->refuse("is not the name of its folder");
  if (!is_version(out.version)) in.node("version")->refuse("expected a version such as 1.2.3");
  return out;
}

std::vector<Library> libraries_in(const std::string& folder) {
  std::vector<Library> out;
  std::error_code none;
  for (fs::directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none)) {
    if (fs::is_regular_file(entry->path() / kFile, none)) out.push_back(load_library(entry->path().string()));
  }
  std::sort(out.begin(), out.end(), [](const Library& a, const Library& b) { return a.name < b.name; });
  return out;
}

std::vector<std::string> manifests_of(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code none;
  for (fs::directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none)) {
    const std::string name = entry->path().filename().string();
    if (name == "lock.json" || (name.starts_with("lock_") && name.ends_with(".json")))
      out.push_back(found_file(entry->path()));
  }
  std::sort(out.begin(), out.end());  // "lock." is before "lock_"
  return out;
}

bool names_version(const std::string& text) {
  const auto at = text.rfind('@');
  return at != std::string::npos && text.find('/', at) == std::string::npos;  // not u@host/my_lock.sql
}

const Library& find_library(const std::vector<Library>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Library& one) { return one.name == name; });
  if (found != all.end()) return *found;
  std::vector<std::string> known;
  known.reserve(all.size());
  for (const auto& one : all) known.push_back(one.name);
  throw BadInput(unknown_word("library", name, known));
}

LibraryRef parse_library_ref(const std::string& text) {
  const auto at = text.find('@');
  LibraryRef out{text.substr(0, at), at == std::string::npos ? "" : text.substr(at + 1)};
  if (at != std::string::npos && !is_version(out.version)) {
    throw BadInput("'" + text + "': the version after '@' is missing; remedy: for example " + out.name + "@1.2.3");
  }
  if (out.name.empty() || out.name.starts_with('-')) {
    throw BadInput("'" + text + "': unknown library; remedy: holdfast libraries list shows the names");
  }
  return out;
}

}  // namespace holdfast
