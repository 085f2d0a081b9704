#include "checker/overlap_findings.hpp"

#include <fmt/format.h>

namespace holdfast {
namespace {

bool same(const Hold& a, const Hold& b) {
  return a.process == b.process && a.grant_index == b.grant_index;
}

}  // namespace

// The resource compares tokens, so what the earlier holder wrote when the later one had its own was refused.
std::string OverlapFindings::refused_writes(const Overlap& overlap) const {
  const Hold& earlier = *overlap.earlier;
  const bool stale = earlier.token && overlap.later->token && *earlier.token < *overlap.later->token;
  if (!context_.header.fenced_resource || !stale || earlier.refused_writes == 0) return "";
  const bool one = earlier.refused_writes == 1;
  return fmt::format(" {} of {} refused by the resource, which knew the newer token.",
                     one ? "The late write" : fmt::format("{} late writes", earlier.refused_writes),
                     context_.story.who(earlier) + (one ? " was" : " were"));
}

Witness OverlapFindings::write(const Overlap& overlap, const std::string& note) const {
  const Hold& earlier = *overlap.earlier;
  const Hold& later = *overlap.later;
  const Story& story = context_.story;
  Witness witness;
  witness.key = context_.names.keys.at(earlier.key);
  for (const Hold* hold : {&earlier, &later}) {
    witness.clients.push_back(hold->client);
    witness.indices.insert(witness.indices.end(), {hold->invoke_index, hold->grant_index, hold->end_index});
  }
  witness.from_ns = overlap.from_ns;
  witness.to_ns = overlap.to_ns;
  witness.text = fmt::format("{} {} From {} to {} {}.", story.held(earlier), story.held(later),
                             story.at(overlap.from_ns), story.at(overlap.to_ns), what_);
  witness.text += refused_writes(overlap) + note;
  return witness;
}

void OverlapFindings::ended(const Hold& hold) {
  for (std::size_t i = 0; i < open_.size();) {
    Open& open = open_[i];
    Hold* const half = same(open.earlier, hold) ? &open.earlier : same(open.later, hold) ? &open.later : nullptr;
    if (!half) {
      ++i;
      continue;
    }
    *half = hold;
    open.overlap.earlier = &open.earlier;
    open.overlap.later = &open.later;
    findings_.rewrite(open.witness, write(open.overlap, open.note));
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace holdfast
