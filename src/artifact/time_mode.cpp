#include "artifact/time_mode.hpp"

#include "artifact/enumeration.hpp"

namespace holdfast {
namespace {

constexpr EnumWords<TimeMode> kWords({"real", "skipped"});

}  // namespace

const char* to_text(TimeMode mode) {
  return kWords[mode];
}

bool from_text(const std::string& word, TimeMode& out) {
  return kWords.read(word, out);
}

}  // namespace holdfast
