// Commands and replies of MySQL's protocol as people read them: UPDATE ... -> 1 row changed; (7, 'A') ; error 1062 ...
#pragma once

#include "relay/wire.hpp"

namespace holdfast {

extern const WireText kMySqlText;

}  // namespace holdfast
