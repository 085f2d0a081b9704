// Whether a column is only ever counted up: every place that names it is `name = name + ...`. No statement's outcome
// can then depend on its value (that it changes is all it is there for), so two contents that differ in it go on alike.
//
//   only_counted("writes", {"UPDATE t SET owner = 'A', writes = writes + 1"})     true
//   only_counted("token", {"SELECT token FROM t WHERE token = 7"})                false
//
// It looks at words: a name in a comment or a text counts as a place too, and `SELECT *` names every column. So it says
// false too often, never too seldom.
#pragma once

#include <string>
#include <vector>

namespace holdfast {

bool only_counted(const std::string& column, const std::vector<std::string>& statements);

}  // namespace holdfast
