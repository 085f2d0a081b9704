#include "virtual_time/quiet_wait.hpp"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "artifact/error.hpp"
#include "virtual_time/clock_page.hpp"
#include "virtual_time/lab_clock.hpp"

namespace holdfast {

QuietWait::QuietWait() : page_(reinterpret_cast<ClockPageData*>(kClockPage)) {
  if (::msync(page_, kClockBytes, MS_ASYNC) != 0) {
    throw HarnessError("this process has no virtual clock, so it cannot detect when its lab is quiet");
  }
}

// The word is changed before the wake, so a wait that begins in between returns immediately.
std::int64_t QuietWait::wait() {
  const std::uint32_t asked = ++page_->quiet_asked;
  for (std::uint32_t seen = page_->quiet_answered; seen != asked; seen = page_->quiet_answered) {
    ::syscall(SYS_futex, &page_->quiet_answered, FUTEX_WAIT, seen, nullptr, nullptr, 0);
  }
  return page_->next_ns;
}

std::int64_t QuietWait::host_ns() const {
  return page_->host_ns;
}

void QuietWait::let_work_take_no_time() {
  page_->work_takes_no_time = 1;
}

}  // namespace holdfast
