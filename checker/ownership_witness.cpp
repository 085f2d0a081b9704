#include "checker/ownership_witness.hpp"

#include <fmt/format.h>

#include "checker/operation_witness.hpp"

namespace holdfast {

Witness resumed_witness(const PropertyContext& context, const Hold& hold, const Suspect& suspect) {
  const Story& story = context.story;
  Witness witness{
      context.names.keys.at(hold.key), "", {}, {suspect.client}, suspect.invoked_ns, suspect.answered_ns, ""};
  add_hold(witness, hold);
  witness.indices.insert(witness.indices.end(), {suspect.invoke_index, suspect.index});
  witness.indices.insert(witness.indices.end(), suspect.refers_to.begin(), suspect.refers_to.end());
  witness.text = fmt::format("{} Its release at {} surely had no effect, yet one of {} was answered ok at {} (#{}).",
                             story.held(hold), story.at(hold.resumed_ns), story.who(suspect.process, suspect.client),
                             story.at(suspect.answered_ns), suspect.index);
  return witness;
}

Witness foreign_witness(const PropertyContext& context, const Event& event, const Operation& operation,
                        const Hold& holder, const Window& acted, const std::vector<std::uint64_t>& before) {
  const Story& story = context.story;
  Witness witness = operation_witness(context, event, operation);
  if (operation.hold) {
    add_hold(witness, *operation.hold);
    witness.text = story.held(*operation.hold) + " ";
  }
  witness.indices.insert(witness.indices.end(), before.begin(), before.end());
  add_hold(witness, holder);
  witness.text += fmt::format("{} Yet a {} that {} sent at {} was answered ok at {} (#{}): it {} what was another's.",
                              story.held(holder), to_text(event.op), story.who(event.process, event.client),
                              story.at(operation.invoked_ns), story.at(event.time_ns), event.index,
                              event.op == Op::release ? "freed" : "prolonged");
  if (acted.from_ns > operation.invoked_ns || acted.to_ns < event.time_ns) {
    witness.text += fmt::format(" Its statements were sent and answered from {} to {}.", story.at(acted.from_ns),
                                story.at(acted.to_ns));
  }
  return witness;
}

}  // namespace holdfast
