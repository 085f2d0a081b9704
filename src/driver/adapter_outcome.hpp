// Converts an adapter's answer to a lock's answer.
#pragma once

#include "adapter/adapter_message.hpp"
#include "lock/lock.hpp"

namespace holdfast {

// `fail` surely had no effect, `info` may have had one.
Answer outcome_of_answer(const AdapterMessage& said);

}  // namespace holdfast
