#include "cli/stored.hpp"

#include <filesystem>

namespace holdfast {

std::string verdict_file(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code none;
  const std::string remedy = "; remedy: a run's folder, or first: holdfast run";
  if (!fs::is_directory(folder, none)) throw BadInput(folder + ": there is no such folder" + remedy);
  std::string file = folder + "/verdict.json";
  if (fs::exists(file, none)) return file;
  const std::string real = fs::canonical(folder, none).string();
  if (fs::exists(folder + "/compare.json", none)) {
    throw BadInput(folder + " (" + real + "): is of a comparison, whose page is compare.html in it" + remedy);
  }
  if (fs::exists(folder + "/envelope.json", none)) {
    throw BadInput(folder + " (" + real + "): is of an envelope, whose answer is envelope.json in it" + remedy);
  }
  if (fs::exists(folder + "/run.json", none)) {
    const auto order = nlohmann::json::parse(read_text_file(folder + "/run.json"), nullptr, false);
    const bool replay = order.is_object() && !order.value("replay_of", "").empty();
    if (replay) throw BadInput(folder + " (" + real + "): the replay did not come to its end; remedy: replay again");
    throw BadInput(folder + " (" + real + "): the run did not come to its end; remedy: holdfast run --resume " +
                   folder);
  }
  throw BadInput(folder + " (" + real + "): has no verdict.json, so it is of no run" + remedy);
}

}  // namespace holdfast
