#include "checker/progress_witness.hpp"

#include <fmt/format.h>

namespace holdfast {

Witness free_witness(const PropertyContext& context, const FreeRefusals& refusals) {
  const Story& story = context.story;
  const Refusal& first = refusals.first;
  Witness witness{context.names.keys.at(first.key),
                  "",
                  {first.invoke_index, first.index},
                  {first.client},
                  first.invoked_ns,
                  first.refused_ns,
                  ""};
  const std::string since = first.free_since_ns < 0
                                ? "nobody had had it yet"
                                : fmt::format(
                                      "it was last held or asked for by a holder at {}, and a correct lock may "
                                      "stay taken for {} after that",
                                      story.at(first.free_since_ns), story.lasting(refusals.allowed_ns));
  witness.text = fmt::format(
      "{} asked for {} at {} and was refused as busy at {} (#{}), though {}; nobody else asked "
      "for it meanwhile, and no fault acted.",
      capitalized(story.who(first.process, first.client)), story.key(first.key), story.at(first.invoked_ns),
      story.at(first.refused_ns), first.index, since);
  if (refusals.count > 1) witness.text += fmt::format(" So it was {} times in a row.", refusals.count);
  if (refusals.elsewhere) {
    witness.clients.push_back(refusals.elsewhere->client);
    witness.indices.push_back(refusals.elsewhere->grant_index);
    witness.text += fmt::format(" What was held at that time is another key: {} had {} since {} (#{}).",
                                story.who(*refusals.elsewhere), story.key(refusals.elsewhere->key),
                                story.at(refusals.elsewhere->granted_ns), refusals.elsewhere->grant_index);
  }
  return witness;
}

Witness waiting_witness(const PropertyContext& context, const Stuck& stuck) {
  const Story& story = context.story;
  Witness witness{
      context.names.keys.at(stuck.key), "", stuck.indices, stuck.clients, stuck.free_since_ns, stuck.last_ns, ""};
  const bool answered = stuck.indices.size() > 1;
  witness.text = fmt::format(
      "From {} on nobody believed to hold {} and no fault acted, yet the acquire of client {} (#{}) was kept waiting "
      "{} "
      "{}: {}, where a correct lock may take {}.",
      story.at(stuck.free_since_ns), story.key(stuck.key), stuck.clients.front(), stuck.indices.front(),
      answered ? "until" : "and had no answer by", story.at(stuck.last_ns),
      story.lasting(stuck.last_ns - stuck.free_since_ns), story.lasting(stuck.allowed_ns));
  return witness;
}

}  // namespace holdfast
