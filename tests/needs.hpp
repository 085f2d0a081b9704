// What a test needs and not every machine has, as in tests/program/needs.py: tried without holdfast, so that a fault of
// the program does not look like a machine that lacks something.
//
//   if (const int skipped = skipped_without_namespaces(); skipped >= 0) return skipped;   // in main()
#pragma once

#include <cstdio>
#include <cstdlib>

namespace holdfast {

// Says why a program's tests, which run in a lab, are skipped, and gives its exit code; negative: they are not.
inline int skipped_without_namespaces() {
  const char* lab = "unshare --user --map-root-user --mount --pid --ipc --net --fork --mount-proc true";
  if (std::system(lab) == 0) return -1;
  std::puts("SKIP: needs namespaces, which this machine refuses\n[  SKIPPED ]");
  return 0;
}

}  // namespace holdfast
