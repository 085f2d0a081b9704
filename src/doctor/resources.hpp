// Room on this machine: disk for the results, memory for the labs; and whether it is seen when it runs out of
// processors.
//
//   auto room = examine_room("runs");    // two examinations
//
// A lab keeps its servers' data in memory, in a file system of its own; /dev/shm is not used, however small it is.
#pragma once

#include <string>
#include <vector>

#include "doctor/examination.hpp"

namespace holdfast {

struct Room {
  std::int64_t disk_mib = -1;    // -1: nobody can say
  std::int64_t memory_mib = -1;  // what is free, or what the limit of a container leaves of it
};

Room room_in(const std::string& folder);    // of the nearest folder that is there
int jobs_in(const Room& room, int wanted);  // trials side by side: as many as are wanted, or as fit into the memory
std::vector<Examination> examine_room(const Room& room, const std::string& folder);
Examination examine_waits();

}  // namespace holdfast
