// A file that lasts as long as its object, for tests.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace holdfast {

class TextOnDisk {
 public:
  explicit TextOnDisk(const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  ~TextOnDisk() { std::remove(path.c_str()); }
  const std::string path = "/tmp/holdfast-history-test-" + std::to_string(::getpid()) + ".jsonl";
};

}  // namespace holdfast
