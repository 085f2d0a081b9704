#include "virtual_time/lab_clock.hpp"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <ctime>

#include <atomic>

#include "artifact/error.hpp"
#include "artifact/monotonic.hpp"
#include "artifact/units.hpp"
#include "virtual_time/clock_code.hpp"
#include "virtual_time/clock_page.hpp"

namespace holdfast {

namespace {

constexpr std::int64_t kAhead_ns = 3600 * kSecond_ns;

std::int64_t host_wall_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return std::int64_t{now.tv_sec} * kSecond_ns + now.tv_nsec;
}

}  // namespace

bool is_wall_clock(std::uint64_t id) {
  return id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_REALTIME_ALARM || id == CLOCK_TAI;
}

LabClock::LabClock() : descriptor_(::memfd_create("holdfast clock", MFD_CLOEXEC)), data_(nullptr) {
  const ClockCode code = clock_code();
  if (code.bytes.empty())
    throw Unavailable("virtual time: this kind of processor is not supported; remedy: use an x86-64 machine");
  if (descriptor_ < 0 || ::ftruncate(descriptor_, 2 * kClockBytes) != 0) {
    throw HarnessError("the clock of virtual time: " + system_text(errno));
  }
  void* const memory = ::mmap(nullptr, 2 * kClockBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED) throw HarnessError("the clock of virtual time: " + system_text(errno));
  std::memcpy(static_cast<char*>(memory) + kClockBytes, code.bytes.data(), code.bytes.size());
  data_ = static_cast<ClockPageData*>(memory);
  const std::int64_t host_ns = monotonic_ns();
  data_->wall_ahead_ns = host_wall_ns() - host_ns;
  data_->now_ns.store(host_ns + kAhead_ns);
}

LabClock::~LabClock() {
  ::munmap(data_, 2 * kClockBytes);
  ::close(descriptor_);
}

std::int64_t LabClock::now_ns() const {
  return data_->now_ns.load();
}

std::int64_t LabClock::read_ns() {
  return data_->now_ns.fetch_add(1);
}

std::int64_t LabClock::wall_ahead_ns() const {
  return data_->wall_ahead_ns;
}

void LabClock::advance_to(std::int64_t monotonic_ns) {
  std::int64_t now_ns = data_->now_ns.load();
  while (monotonic_ns > now_ns && !data_->now_ns.compare_exchange_weak(now_ns, monotonic_ns)) {
  }
}

bool LabClock::work_takes_no_time() const {
  return data_->work_takes_no_time != 0;
}

bool LabClock::tell_quiet(std::int64_t next_ns) {
  const std::uint32_t asked = data_->quiet_asked;
  if (asked == data_->quiet_answered) return false;
  data_->next_ns = next_ns;
  data_->host_ns = monotonic_ns();
  data_->quiet_answered = asked;
  ::syscall(SYS_futex, &data_->quiet_answered, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  return true;
}

}  // namespace holdfast
