// Statements of SQL as people read them in a schedule, and which of them only read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

std::string sql_line(std::string_view sql);    // in one line, clipped
std::string sql_value(std::string_view text);  // clipped, in quotes unless it is a number
// Names a statement in a word: "update"; of a SELECT that only calls a function, that function: "get_lock".
std::string sql_name(std::string_view sql);
// A SELECT without FOR UPDATE and its like that calls no function: outside of a transaction it changes nothing.
bool sql_only_reads(std::string_view sql);
std::vector<std::string> sql_words(std::string_view sql);  // words and literals, in their order

}  // namespace holdfast
