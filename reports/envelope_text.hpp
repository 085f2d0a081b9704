// Safety envelopes as a terminal shows them: the bracket, how often each amount was tried, and why it broke, in words.
//
//   insert_lease, pause (for_ms), lease 2,000 ms
//     holds at 1,850 ms (3 of 3), violated at 1,900 ms (3 of 3: mutual_exclusion overrun)
//
// UTF-8, no colour; ends with a line end.
#pragma once

#include "artifact/envelope.hpp"
#include "reports/shown.hpp"

namespace holdfast {

Shown envelope_text(const EnvelopeRun&);

}  // namespace holdfast
