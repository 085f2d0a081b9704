// What a lock's SQL may have to do with time.
//
//   may_tell_whole_seconds("... expires_at <= NOW()")      true
//   may_tell_whole_seconds("... expires_at <= NOW(6)")     false
//   may_read_clock("DELETE ... WHERE owner = 'A'")         false
//
// They look at words, not at their meaning, and so say true too often, never too seldom.
#pragma once

#include <string>

namespace holdfast {

// Whether it may tell one side of a whole second from the other. Only then is the moment at which a second begins worth
// a jump of time: columns without fractions end leases there, and functions cut there. What has to do with time and is
// not written with all six digits counts, a column named update_time too.
bool may_tell_whole_seconds(const std::string& sql);

// Whether it may come out otherwise at another time, the rows being the same. Source: the functions that MariaDB lists
// as giving the present date or time. What a table fills in by itself is in its schema, not here.
bool may_read_clock(const std::string& sql);

}  // namespace holdfast
