// Remedies for mistakes that any command can meet in a file that the user named. Readers of files do not know what the
// user meant, so their messages are completed here.
//
//   with_remedy("my_lok.sql: cannot be read: No such file or directory")   ... (did you mean 'my_lock.sql'?)
//   with_remedy("my_lock.sql:1: not JSON: syntax error ...")               my_lock.sql: is a file of statements ...
#pragma once

#include <string>

namespace holdfast {

// A message that already names a remedy keeps it. Looks into the folder of a missing file.
std::string with_remedy(const std::string& message);

}  // namespace holdfast
