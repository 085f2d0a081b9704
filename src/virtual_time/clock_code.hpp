// The code by which a program of a lab in virtual time reads its clock (lab_clock.hpp): clock_gettime, gettimeofday and
// time. It is position independent and reads the page at its fixed address. Clocks of processor time call the kernel.
#pragma once

#include <cstddef>
#include <string_view>

namespace holdfast {

struct ClockCode {
  std::string_view bytes;         // empty: this machine is not x86-64
  std::size_t clock_gettime = 0;  // offset of each function
  std::size_t gettimeofday = 0;
  std::size_t time = 0;
};

ClockCode clock_code();

}  // namespace holdfast
