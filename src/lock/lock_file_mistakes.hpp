// The mistakes of a file, reported together: who writes a file corrects all of them at once.
//
//   LockFileMistakes mistakes;
//   for (const auto& note : notes) mistakes.collect([&] { read(note); });   // read() throws BadInput
//   mistakes.refuse_all();                                                  // BadInput with a line for each; none:
//   nothing
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "artifact/error.hpp"

namespace holdfast {

class LockFileMistakes {
 public:
  // Keeps what the check refuses, once.
  template <typename Check>
  void collect(const Check& check) {
    try {
      check();
    } catch (const BadInput& wrong) {
      const std::string what = wrong.what();
      if (std::find(all_.begin(), all_.end(), what) == all_.end()) all_.push_back(what);
    }
  }

  bool none() const { return all_.empty(); }

  void refuse_all() const {
    if (all_.empty()) return;
    std::string text;
    for (const auto& one : all_) text += (text.empty() ? "" : "\n") + one;
    throw BadInput(text);
  }

 private:
  std::vector<std::string> all_;
};

}  // namespace holdfast
