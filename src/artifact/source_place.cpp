#include "artifact/source_place.hpp"

#include <algorithm>
#include <filesystem>

namespace holdfast {

const JsonForm<SourcePlace>& SourcePlace::form() {
  static const JsonForm<SourcePlace> kForm{
      "source_place", "", {field("file", &SourcePlace::file), field("line", &SourcePlace::line)}};
  return kForm;
}

bool is_below_top(const std::string& file) {
  const std::filesystem::path path(file);
  return !path.empty() && path.is_relative() &&
         std::none_of(path.begin(), path.end(), [](const auto& part) { return part == ".."; });
}

}  // namespace holdfast
