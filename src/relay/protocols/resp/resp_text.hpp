// Formats Redis commands and answers for people: SET orders A1 NX PX 2000 -> OK. A script is shown by its first line.
#pragma once

#include "relay/wire.hpp"

namespace holdfast {

extern const WireText kRespText;

}  // namespace holdfast
