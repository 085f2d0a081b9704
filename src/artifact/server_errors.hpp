// Readable texts for the error numbers of servers in a history.
//
//   server_error_text(1213)     "error 1213 (deadlock)"
//   server_error_text(252502)   "SQLSTATE 25P02 (the transaction is aborted, its statements are ignored)"
//   server_error_text(99)       "error 99"
//
// A number of five digits or more is a SQLSTATE in which a letter is two digits (A is 10). A six-digit number is read
// in PostgreSQL's form: the letter is the third character.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast {

// Converts a SQLSTATE to the number in a Reply and a history: digits stay, a letter becomes two digits, so 23505 is
// 23505 and 40P01 is 402501.
int number_of_sqlstate(std::string_view sqlstate);

std::string server_error_text(std::int64_t number);

}  // namespace holdfast
