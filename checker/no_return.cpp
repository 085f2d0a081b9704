#include "checker/no_return.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace holdfast {

void NoReturnRule::event(const Event& event) {
  if (event.actor != Actor::nemesis) return;
  if (event.step == FaultStep::healed) healed_ns_ = event.time_ns;
  if (event.step != FaultStep::unanswered) return;
  for (const std::uint32_t client : event.clients) unanswered(client, event);
}

void NoReturnRule::unanswered(std::uint32_t client, const Event& event) {
  bool calls = false;
  context_.holds.each_open([&](std::uint32_t process, const Operation& call) {
    const bool of_the_lock = call.op == Op::acquire || call.op == Op::renew || call.op == Op::release;
    if (call.client != client || call.dead || !of_the_lock) return;
    calls = true;
    look({process, call, std::max(call.invoked_ns, healed_ns_), event.time_ns, event.index});
  });
  if (!calls) doubt_(fmt::format("client {} did not end, although it had no open call", client));
}

void NoReturnRule::look(const NoReturn& found) {
  const std::int64_t allowed_ns = context_.header.lease_ns + context_.header.progress_bound_ns;
  const std::int64_t waited_ns = found.until_ns - found.since_ns;
  const Stalled stalled = context_.faults.stalled_between(found.call.client, found.since_ns, found.until_ns);
  if (healed_ns_ >= 0 && waited_ns - stalled.waited_ns > allowed_ns) return report_(found);
  const Story& story = context_.story;
  doubt_(
      fmt::format("{} had no answer to its {} for {}, where {} is allowed, and the machine stalled for {} of that time",
                  story.who(found.process, found.call.client), noun_of(found.call.op), story.lasting(waited_ns),
                  story.lasting(allowed_ns), story.lasting(stalled.waited_ns)));
}

Witness no_return_witness(const PropertyContext& context, const NoReturn& found) {
  const Story& story = context.story;
  Witness witness{context.names.keys.at(found.call.key),
                  "",
                  {found.call.index, found.until_index},
                  {found.call.client},
                  found.call.invoked_ns,
                  found.until_ns,
                  ""};
  witness.text = fmt::format(
      "{} called {} for {} at {}, and the call had not returned when the client was ended at {}, {} after {}.",
      story.subject(found.process, found.call.client), to_text(found.call.op), story.key(found.call.key),
      story.at(found.call.invoked_ns, found.call.index), story.at(found.until_ns, found.until_index),
      story.lasting(found.until_ns - found.since_ns),
      found.since_ns > found.call.invoked_ns ? story.at(found.since_ns) + ", from when on no fault was active"
                                             : "the call");
  return witness;
}

}  // namespace holdfast
