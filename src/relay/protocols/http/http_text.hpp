// Requests and answers of HTTP/1.1 for people: "PUT /locks/orders If-None-Match: *", "412 PreconditionFailed".
#pragma once

#include "relay/wire.hpp"

namespace holdfast {

extern const WireText kHttpText;

}  // namespace holdfast
