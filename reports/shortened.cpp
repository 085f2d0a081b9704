#include "reports/shortened.hpp"

#include <fmt/format.h>

#include "artifact/visible.hpp"
#include "reports/durations.hpp"

namespace holdfast {

std::string shortened(std::string_view text, std::size_t most_characters) {
  std::string visible_text = visible(text);
  const std::size_t all = columns(visible_text);
  if (all <= most_characters) return visible_text;
  std::size_t end = 0;
  for (std::size_t seen = 0; end < visible_text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(visible_text[end]) & 0xC0U) != 0x80U;
    if (begins && seen++ == most_characters) break;
  }
  return fmt::format("{}… ({} characters in all)", std::string_view(visible_text).substr(0, end),
                     count_text(static_cast<std::int64_t>(all)));
}

}  // namespace holdfast
