// Whether a lock's SQL may tell one side of a whole second from the other. Only then is the moment at which a second
// begins worth a jump of time: columns without fractions end leases there, and functions cut there.
//
//   may_tell_whole_seconds("... expires_at <= NOW()")      true
//   may_tell_whole_seconds("... expires_at <= NOW(6)")     false
//
// It looks at words, not at their meaning: what has to do with time and is not written with all six digits counts. So
// it says true too often (a column named update_time), never too seldom.
#pragma once

#include <string>

namespace holdfast {

bool may_tell_whole_seconds(const std::string& sql);

}  // namespace holdfast
