// The wall clocks of clients. A lock in C++ reads the clock that its session gives it, as the control page sets and
// shows it. A lock that is a program of its own has its wall clock in the vDSO (lab/vdso_clock.hpp), which is given to
// it when it is first to be wrong; what its pages say is read back, and where it tells its own wall clock with each
// pulse, what it tells must agree.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "control/control_page.hpp"
#include "lab/vdso_clock.hpp"
#include "nemesis/capabilities/client_clocks.hpp"

namespace holdfast {

class LabClientClocks : public ClientClocks {
 public:
  LabClientClocks(ControlPage& page, bool of_programs) : page_(page), of_programs_(of_programs) {}

  std::string unavailable() override { return of_programs_ ? why_no_vdso_clock() : ""; }
  void set_offset(std::uint32_t client, std::int64_t ns) override;
  std::int64_t offset_seen_ns(std::uint32_t client) const override;

 private:
  void set_program_offset(std::uint32_t client, pid_t group, std::int64_t ns);
  std::int64_t program_offset_ns(std::uint32_t client) const;

  ControlPage& page_;
  const bool of_programs_;
  mutable std::mutex mutex_;
  std::map<std::uint32_t, VdsoClock> clocks_;  // by client
};

}  // namespace holdfast
