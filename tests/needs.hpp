// Requirements of a test that not every machine meets, as in tests/program/needs.py: tried without holdfast, so that a
// fault of the program does not look like a machine that lacks something.
//
//   if (const int skipped = skipped_without_lab(); skipped >= 0) return skipped;   // in main()
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

namespace holdfast {

// Says why a program's tests, which run in a lab, are skipped, and gives its exit code; negative: they are not.
inline int skipped_without_lab() {
  const std::string lab = "sh '" HOLDFAST_SOURCE "/tests/lab_here.sh'";
  if (std::system(lab.c_str()) == 0) return -1;
  std::puts("SKIP: needs what a lab is made of, which this machine refuses\n[  SKIPPED ]");
  return 0;
}

}  // namespace holdfast
