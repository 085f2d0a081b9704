// Whether a lock's SQL may leave something that does not show in the rows of its tables: tables made on the way,
// variables of a session, numbers that a session remembers. Looks at words, and says true too often, never too seldom
// of what is listed here (the source).
#pragma once

#include <string>

namespace holdfast {

bool may_hide_state(const std::string& sql);

}  // namespace holdfast
