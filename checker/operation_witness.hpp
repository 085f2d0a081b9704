// The witness of something that one operation did, with the holds it concerns.
#pragma once

#include "artifact/verdict.hpp"
#include "checker/property.hpp"

namespace holdfast {

inline Witness operation_witness(const PropertyContext& context, const Event& event, const Operation& operation) {
  Witness witness;
  witness.key = context.names.keys.at(event.key);
  witness.indices = {operation.index, event.index};
  witness.clients = {event.client};
  witness.from_ns = operation.invoked_ns;
  witness.to_ns = event.time_ns;
  return witness;
}

inline void add_hold(Witness& witness, const Hold& hold) {
  if (witness.clients.front() != hold.client) witness.clients.push_back(hold.client);
  witness.indices.insert(witness.indices.end(), {hold.invoke_index, hold.grant_index, hold.end_index});
}

}  // namespace holdfast
