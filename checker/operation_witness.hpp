// The witness of something that one operation did, with the tenures it concerns.
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

inline void add_tenure(Witness& witness, const Tenure& tenure) {
  if (witness.clients.front() != tenure.client) witness.clients.push_back(tenure.client);
  witness.indices.insert(witness.indices.end(), {tenure.invoke_index, tenure.grant_index, tenure.end_index});
}

}  // namespace holdfast
