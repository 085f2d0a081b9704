// A step of making the lab that this machine refused. confinement.hpp says what to do about it.
#pragma once

#include <cerrno>
#include <string>

namespace holdfast {

struct LabRefusal {
  std::string step;
  int error;
};

inline void require_step(bool worked, const char* step) {
  if (!worked) throw LabRefusal{step, errno};
}

}  // namespace holdfast
