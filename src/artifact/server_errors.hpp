// The errors of servers, by the numbers that a history has of them, in words for people.
//
//   server_error_text(1213)     "error 1213 (deadlock)"
//   server_error_text(252502)   "SQLSTATE 25P02 (the transaction is aborted, its statements are ignored)"
//   server_error_text(99)       "error 99"
//
// A number of five digits or more is a SQLSTATE, in which a letter is two digits (A is 10). One of six digits is read
// as PostgreSQL has them: the letter is the third sign.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast {

// The number that a Reply and a history have of a SQLSTATE: digits as they stand, a letter as two of them, so that
// 23505 is 23505 and 40P01 is 402501.
int number_of_sqlstate(std::string_view sqlstate);

std::string server_error_text(std::int64_t number);

}  // namespace holdfast
