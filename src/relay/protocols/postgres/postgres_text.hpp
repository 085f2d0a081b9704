// Requests and replies of PostgreSQL's protocol as people read them: UPDATE ... -> UPDATE 1; (7, 'A'); error 23505 ...
#pragma once

#include "relay/wire.hpp"

namespace holdfast {

extern const WireText kPostgresText;

}  // namespace holdfast
