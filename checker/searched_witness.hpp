// Refusals that no order of moments explains, in words.
#pragma once

#include "artifact/verdict.hpp"
#include "checker/bounded_search.hpp"
#include "checker/property.hpp"

namespace holdfast {

inline Witness searched_witness(const PropertyContext& context, std::uint32_t key, const Searched& operations) {
  const Story& story = context.story;
  Witness w;
  w.key = context.names.keys.at(key);
  for (const SearchedOperation& o : operations) {
    const char* did = o.said == EventType::fail ? (o.acquire ? "was refused" : "was told that it does not hold")
                      : o.said == EventType::ok ? (o.acquire ? "was granted" : "released")
                                                : (o.acquire ? "asked, without an answer, for" : "perhaps released");
    w.clients.push_back(o.client);
    w.indices.insert(w.indices.end(), {o.invoke_index, o.index});
    w.text += capitalized(story.who(o.process, o.client)) + " " + did + " " + story.key(key) + " (from " +
              story.at(o.invoked_ns) + (o.answered_ns == kNever ? "" : " to " + story.at(o.answered_ns)) + ", #" +
              std::to_string(o.index) + "). ";
    if (o.said == EventType::fail && o.acquire) w.to_ns = o.answered_ns;
  }
  w.from_ns = w.to_ns;
  w.text += "No order of these explains every refusal: it was free at one of them.";
  return w;
}

}  // namespace holdfast
