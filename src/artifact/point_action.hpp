// Action with which a client continues from an injection point, in its own process or with a request at the relay.
#pragma once

#include <cstdint>

namespace holdfast {

enum class PointAction : std::uint8_t {
  go_on,         // normally
  lose_reply,    // the request is executed, and the client never sees the answer
  hold_request,  // the request is sent later, even if the client is gone by then
  duplicate,     // the request is sent again after its answer; the client sees one answer
  lose_request   // the request is never sent
};

}  // namespace holdfast
