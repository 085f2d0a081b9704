// How a client goes on from an injection point, at which it stopped in its work or its request at the relay.
#pragma once

#include <cstdint>

namespace holdfast {

enum class PointAction : std::uint8_t {
  go_on,         // as if nothing had happened
  lose_reply,    // the request is executed, and the client never sees the answer
  hold_request,  // it is sent later, whether the client is still there or not
  duplicate,     // it is sent again once it was answered; the client sees one answer
  lose_request   // it is never sent
};

}  // namespace holdfast
