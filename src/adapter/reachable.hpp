// Why a program cannot reach a file: it does not exist, a link to it is broken, or a folder on the way is closed to the
// user. In a lab started by root the user is nobody (lab/namespaces.hpp), who may not enter /root, where many
// installers put a language.
//
//   const Reach reach = reach_of("/srv/my_lock/venv/bin/python3");
//   if (!reach.closed.empty()) ...                       // "/root"
//   else if (!reach.found) say(reach.what)               // ".../python3 is a link to ..., which is missing"
#pragma once

#include <string>

namespace holdfast {

struct Reach {
  bool found = true;
  std::string what{};    // empty if it was found
  std::string closed{};  // the folder that may not be entered; empty: none
};

// `file` is absolute; links anywhere on the way are followed.
Reach reach_of(const std::string& file);

}  // namespace holdfast
