#include "checker/silences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "checker/holds.hpp"
#include "checker/story.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kShortestSilenceNs = 1'000'000'000;
constexpr std::size_t kMostTold = 3;

}  // namespace

std::vector<std::string> Silences::told() const {
  std::vector<std::string> out;
  if (!context_.story.timed()) return out;
  std::size_t untold = 0;
  const std::int64_t now_ns = context_.holds.now_ns();
  const std::int64_t long_ns = std::max(kShortestSilenceNs, (now_ns - first_ns_) / 10);
  for (std::uint32_t key = 0; key < context_.names.keys.size(); ++key) {
    for (const Hold* hold : context_.holds.believers(key)) {
      const std::int64_t silent_ns = now_ns - *last_ns_.find(hold->process);
      if (silent_ns <= long_ns) continue;
      if (out.size() == kMostTold) {
        ++untold;
        continue;
      }
      out.push_back(fmt::format(
          "{} held {} from #{} on and has no line in the last {:.3f} s: was it killed, or was its log cut off? It "
          "counts as a holder until the end of the history; a line with \"f\":\"leave\" would end its hold",
          context_.story.who(*hold), context_.story.key(key), hold->grant_index, static_cast<double>(silent_ns) / 1e9));
    }
  }
  if (untold > 0) out.push_back(fmt::format("{} more holders have no line near the end of the history", untold));
  return out;
}

}  // namespace holdfast
