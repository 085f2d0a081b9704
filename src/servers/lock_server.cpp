#include "servers/lock_server.hpp"

#include <ctime>

#include "artifact/error.hpp"

namespace holdfast {

std::function<Process()> not_ours() {
  return []() -> Process { throw HarnessError("a server of the user's own is not started by holdfast"); };
}

std::int64_t host_wall_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace holdfast
