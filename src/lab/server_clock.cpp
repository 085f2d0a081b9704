#include "lab/server_clock.hpp"

#include <sys/mman.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>

#include "artifact/error.hpp"

namespace holdfast {

std::string_view embedded_preload(std::string_view name);

namespace {

// Descriptor numbers in the server for the two files: high, but below those that spawn_process copies to.
constexpr int kLibraryDescriptor = 90;
constexpr int kPageDescriptor = 91;

std::int64_t monotonic_now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

std::string path_of(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

void require(bool worked, const char* step) {
  if (!worked) throw HarnessError(std::string("the server's clock: ") + step + ": " + system_text(errno));
}

int anonymous_file(const char* name, std::string_view content) {
  const int fd = ::memfd_create(name, MFD_CLOEXEC);
  require(fd >= 0, "memfd_create");
  require(::write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size()), "write");
  return fd;
}

}  // namespace

ServerClock::ServerClock()
    : library_(anonymous_file("server_clock.so", embedded_preload("server_clock.so"))),
      file_(anonymous_file("server_clock", std::string(sizeof(ClockPage), '\0'))) {
  void* memory = ::mmap(nullptr, sizeof(ClockPage), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  require(memory != MAP_FAILED, "mmap");
  page_ = static_cast<ClockPage*>(memory);
}

ServerClock::~ServerClock() {
  ::munmap(page_, sizeof(ClockPage));
  ::close(library_);
  ::close(file_);
}

void ServerClock::equip(Spawn& server) const {
  server.descriptors[kLibraryDescriptor] = library_;
  server.descriptors[kPageDescriptor] = file_;
  server.environment["LD_PRELOAD"] = path_of(kLibraryDescriptor);
  server.environment["HOLDFAST_CLOCK"] = path_of(kPageDescriptor);
}

void ServerClock::step(std::int64_t offset_ns) {
  write_shift(*page_, {offset_ns, read_shift(*page_).drift_ppm, monotonic_now_ns()});
}

void ServerClock::freeze(std::int64_t wall_ns) {
  write_shift(*page_, {0, 0, 0, wall_ns});
}

void ServerClock::drift(std::int64_t parts_per_million) {
  const std::int64_t now_ns = monotonic_now_ns();
  write_shift(*page_, {ahead_ns(read_shift(*page_), now_ns), parts_per_million, now_ns});
}

}  // namespace holdfast
