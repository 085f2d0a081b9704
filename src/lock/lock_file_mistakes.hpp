// Collects the errors of a file and reports them together, so that its author can correct all at once.
//
//   LockFileMistakes mistakes;
//   for (const auto& note : notes) mistakes.collect([&] { read(note); });   // read() throws BadInput
//   mistakes.refuse_all();                                                  // throws BadInput if there are any
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "artifact/error.hpp"

namespace holdfast {

class LockFileMistakes {
 public:
  // Runs a check and keeps its error, without duplicates.
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
