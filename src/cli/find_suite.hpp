// Where scenarios are: as the user named them, or else beside the program, wherever that was installed or moved to.
//
//   find_suite("scenarios/quick")   // that folder, where it is there; else that of the installation
//   find_suite("quick")             // the same, without the folder's name
//   find_suite("quick/kill")        // one scenario's file, without its ending
//
// All else that the program needs is inside it (statements, the clock library, the page), so that it may be moved.
// A name that is found nowhere comes back as it is, for whoever opens it to refuse.
#pragma once

#include <string>

namespace holdfast {

std::string find_suite(const std::string& named);

// A folder that comes with the program, beside the scenarios: "adapters". Empty: it is not there.
std::string shipped_folder(const std::string& name);

}  // namespace holdfast
