// Whether a Redis command can only ask. The form of a reply does not say so: GETSET answers with a text as GET does, a
// script with whatever it likes. Says yes too seldom, never too often (the source).
#pragma once

#include <string>
#include <vector>

namespace holdfast {

std::string verb_of(const std::vector<std::string>& arguments);  // in capital letters
bool only_asks(const std::vector<std::string>& arguments);

}  // namespace holdfast
