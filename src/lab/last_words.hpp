// What a process of this program said last, in the log that it was started with.
//
//   last_words(folder + "/client-0.log").own   // "the journal cannot be created: Too many open files; ..."
#pragma once

#include <string>

namespace holdfast {

struct LastWords {
  std::string own;  // its own complaint, without the program's name; empty: it made none
  std::string any;  // the last line of all, of whatever it started too
};

LastWords last_words(const std::string& log);

}  // namespace holdfast
