// Why a program cannot get at a file: it is not there, a link to it leads nowhere, or a folder on the way is closed to
// who asks. In a lab that root started that is nobody (lab/namespaces.hpp), who may not enter /root, where many
// installers put a language.
//
//   const Reach reach = reach_of("/srv/my_lock/venv/bin/python3");
//   if (!reach.closed.empty()) ...                       // "/root"
//   else if (!reach.found) say(reach.what)               // ".../python3 is a link to /opt/py/bin/python3, which is
//   missing"
#pragma once

#include <string>

namespace holdfast {

struct Reach {
  bool found = true;
  std::string what{};    // empty where it was found
  std::string closed{};  // the folder that may not be entered; empty: none
};

// `file` is absolute; links are followed, wherever they stand on the way.
Reach reach_of(const std::string& file);

}  // namespace holdfast
