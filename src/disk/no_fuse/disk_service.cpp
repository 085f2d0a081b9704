// Replaces disk/fuse if libfuse3 is missing.
#include "disk/disk_service.hpp"

#include "artifact/error.hpp"

namespace holdfast {

std::string missing_disk_service() {
  return "this program was built without libfuse3, which a disk that loses power needs; remedy: ./run setup power_loss";
}

void run_disk(int, int) {
  throw Unavailable(missing_disk_service());
}

}  // namespace holdfast
