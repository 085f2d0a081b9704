// What a statement would wait for at the server by its own wish, taken out of it, so that the wait can be simulated.
//
//   SqlWait w = without_wait("SELECT GET_LOCK('orders', 2)");   // "SELECT GET_LOCK('orders', 0)", 2 s
//   with_wait("SELECT GET_LOCK('orders', 2)", 60);              // "SELECT GET_LOCK('orders', 60)"
//
// Known: the time of GET_LOCK, and WAIT n of a locking read. Row locks wait for as long as the session's setting says,
// which is not in the text. Throws Unavailable where the time of GET_LOCK is no plain number from 0 on.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast {

struct SqlWait {
  std::string text;
  std::int64_t wait_us = 0;  // 0: it asks for none
};

SqlWait without_wait(const std::string& sql);
std::string with_wait(const std::string& sql, int seconds);  // where it waits at all

}  // namespace holdfast
