// The offset of a server's wall clock: a small file mapped by the runner and the server. The runner writes the shift,
// and the preloaded library (server_clock.cpp) adds it to every reading.
//
//   write_shift(page, {.offset_ns = 3'000'000'000});   // three seconds ahead, from the server's next reading on
//
// Readings are never torn: a new shift is written into the other slot, then the page switches to it. One writer at a
// time.
#pragma once

#include <atomic>
#include <cstdint>

namespace holdfast {

struct ClockShift {
  std::int64_t offset_ns = 0;
  std::int64_t drift_ppm = 0;      // the clock runs this much too fast ...
  std::int64_t drift_from_ns = 0;  // ... since this time of CLOCK_MONOTONIC
  std::int64_t frozen_ns = 0;  // since 1970: the clock is frozen at this time and other fields are ignored; 0: it runs
};

struct ClockPage {
  struct Slot {
    std::atomic<std::int64_t> offset_ns;
    std::atomic<std::int64_t> drift_ppm;
    std::atomic<std::int64_t> drift_from_ns;
    std::atomic<std::int64_t> frozen_ns;
  };
  std::atomic<std::uint64_t> current;  // active slot; a file of zeros means no shift
  Slot slots[2];
};

inline ClockShift read_shift(const ClockPage& page) {
  const ClockPage::Slot& slot = page.slots[page.current.load() % 2];
  return {slot.offset_ns.load(), slot.drift_ppm.load(), slot.drift_from_ns.load(), slot.frozen_ns.load()};
}

inline void write_shift(ClockPage& page, const ClockShift& shift) {
  const std::uint64_t next = page.current.load() + 1;
  ClockPage::Slot& slot = page.slots[next % 2];
  slot.offset_ns.store(shift.offset_ns);
  slot.drift_ppm.store(shift.drift_ppm);
  slot.drift_from_ns.store(shift.drift_from_ns);
  slot.frozen_ns.store(shift.frozen_ns);
  page.current.store(next);
}

// Returns how far the clock is ahead at a time of CLOCK_MONOTONIC.
inline std::int64_t ahead_ns(const ClockShift& shift, std::int64_t monotonic_ns) {
  if (shift.drift_ppm == 0) return shift.offset_ns;
  return shift.offset_ns + (monotonic_ns - shift.drift_from_ns) / 1000 * shift.drift_ppm / 1000;
}

}  // namespace holdfast
