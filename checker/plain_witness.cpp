#include "checker/plain_witness.hpp"

#include <fmt/format.h>

namespace holdfast {
namespace {

using Kind = PlainOperation::Kind;

const char* done(Kind kind) {
  switch (kind) {
    case Kind::acquire:
      return "acquired";
    case Kind::release:
      return "released";
    case Kind::busy:
      return "was refused";
    case Kind::not_held:
      break;
  }
  return "was answered that no process held";
}

const char* why(Kind kind) {
  switch (kind) {
    case Kind::acquire:
      return "the lock was held all that time: no operation called by then can have released it";
    case Kind::release:
    case Kind::busy:
      return "the lock was free all that time: no process that had asked for it by then can have got it";
    case Kind::not_held:
      break;
  }
  return "the lock was held all that time";
}

std::string told(const PropertyContext& context, std::uint32_t key, const PlainOperation& o) {
  const Story& story = context.story;
  const std::string who = story.subject(o.process, o.client);
  if (o.answered_ns == kNever) {
    return fmt::format("{} {} {} at {} or later (#{}).", who, done(o.kind), story.key(key), story.at(o.invoked_ns),
                       o.index);
  }
  return fmt::format("{} {} {} between {} and {}.", who, done(o.kind), story.key(key), story.at(o.invoked_ns),
                     story.at(o.answered_ns, o.index));
}

}  // namespace

const char* plain_kind(Kind kind) {
  switch (kind) {
    case Kind::acquire:
      return "acquired_while_held";
    case Kind::release:
      return "released_while_free";
    case Kind::busy:
      return "refused_while_free";
    case Kind::not_held:
      break;
  }
  return "not_held_while_held";
}

Witness plain_witness(const PropertyContext& context, const PlainFault& fault) {
  Witness w;
  w.key = context.names.keys.at(fault.key);
  for (const PlainOperation& o : fault.witness) {
    w.clients.push_back(o.client);
    w.indices.insert(w.indices.end(), {o.invoke_index, o.index});
    w.text += told(context, fault.key, o) + " ";
  }
  w.from_ns = fault.operation.invoked_ns;
  w.to_ns = fault.operation.answered_ns;
  w.text += fmt::format("During the last operation {}.", why(fault.operation.kind));
  if (fault.explained_to.value_or(0) > 0) {
    w.text += fmt::format(" All answers up to #{} have a common explanation; with #{} added they have none.",
                          *fault.explained_to, fault.operation.index);
  }
  return w;
}

}  // namespace holdfast
