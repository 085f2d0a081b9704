#include "lab/vdso_clock.hpp"

#include <csignal>
#include <optional>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"
#include "lab/process.hpp"
#include "lab/stopped_group.hpp"
#include "lab/vdso_code.hpp"
#include "lab/vdso_image.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kCatch_ms = 10'000;
constexpr std::int64_t kTry_ms = 2'000;
constexpr const char* kNotInTime =
    "the memory of a process of holdfast could not be written within two seconds; remedy: try again when the machine "
    "is less busy";

bool shows(const VdsoPage& page, std::int64_t ns) {
  const VdsoOffset seen = page.offset();
  const VdsoOffset wanted = vdso_offset(ns);
  return seen.seconds == wanted.seconds && seen.nanoseconds == wanted.nanoseconds;
}

// Works while the whole group is stopped. Returns false if a thread is at a changed address.
bool equip_all(const StoppedGroup& still, std::int64_t offset_ns) {
  std::vector<VdsoPage> pages;
  for (const pid_t pid : still.processes()) {
    std::optional<VdsoPage> page = VdsoPage::of(pid);
    if (!page || (page->has_clock() && shows(*page, offset_ns))) continue;
    const auto threads = threads_at(pid);
    if (!threads) return false;
    for (const std::uint64_t address : *threads) {
      if (!page->has_clock() && page->is_in_the_way(address)) return false;
    }
    pages.push_back(std::move(*page));
  }
  for (VdsoPage& page : pages) {
    if (page.has_clock()) {
      page.set_offset(vdso_offset(offset_ns));
    } else {
      page.equip(vdso_offset(offset_ns));
    }
  }
  return true;
}

// Reports missing permissions before anything is stopped.
void require_access(pid_t group) {
  require_other_group(group);
  const std::vector<pid_t> processes = processes_of_group(group);
  if (processes.empty()) throw HarnessError("process group " + std::to_string(group) + " has no process");
  for (const pid_t pid : processes) ProcessMemory{pid};
}

}  // namespace

std::string why_no_vdso_clock() {
  if (vdso_code().bytes.empty()) {
    return "setting a clock in the vDSO needs x86-64; remedy: use an x86-64 machine";
  }
  try {
    Spawn sleeper;
    sleeper.argv = {find_program("sleep", "coreutils"), "20"};
    Process process = spawn_process(sleeper);
    // Until it has executed its program, the opened memory may become invalid.
    const auto written = [&process] {
      const std::optional<VdsoPage> page = VdsoPage::of(process.pid());
      return page && page->try_write() && threads_at(process.pid());
    };
    std::string why;
    try {
      if (!poll_until(written, 1, after_ms(kTry_ms))) why = kNotInTime;
    } catch (const Unavailable& refused) {
      why = refused.what();
    }
    process.signal(SIGKILL);
    process.wait(-1);
    return why;
  } catch (const Unavailable& refused) {
    return refused.what();
  }
}

std::vector<pid_t> without_vdso_clock(pid_t group) {
  return VdsoClock(group).read_back().without;
}

void VdsoClock::equip() {
  require_access(group_);
  const auto equipped = [this] {
    const StoppedGroup still(group_);
    return equip_all(still, offset_ns_);
  };
  if (!poll_until(equipped, 1, after_ms(kCatch_ms))) {
    throw HarnessError("process group " + std::to_string(group_) + " was never outside its clock functions in " +
                       std::to_string(kCatch_ms) + " ms");
  }
}

// Repeats until a pass over all processes finds nothing to do: a process that forks before it is written to leaves a
// child with the old offset.
void VdsoClock::set_offset(std::int64_t ns) {
  const auto settled = [this, ns] {
    bool some = false;
    bool all = true;
    for (const pid_t pid : processes_of_group(group_)) {
      std::optional<VdsoPage> page = VdsoPage::of(pid);
      if (!page || !page->has_clock()) continue;
      some = true;
      if (shows(*page, ns)) continue;
      all = false;
      page->set_offset(vdso_offset(ns));
    }
    if (!some) throw HarnessError("no process of group " + std::to_string(group_) + " has a clock that can be set");
    return all;
  };
  if (!poll_until(settled, 0, after_ms(kCatch_ms))) {
    throw HarnessError("process group " + std::to_string(group_) + " forks faster than its clocks can be set");
  }
  offset_ns_ = ns;
}

VdsoReading VdsoClock::read_back() const {
  VdsoReading out;
  for (const pid_t pid : processes_of_group(group_)) {
    const std::optional<VdsoPage> page = VdsoPage::of(pid);
    if (!page) continue;
    (page->has_clock() ? out.with : out.without).push_back(pid);
    if (!page->has_clock() || shows(*page, offset_ns_) || !out.wrong.empty()) continue;
    out.wrong = "the clock of process " + std::to_string(pid) + " is " + std::to_string(ns_of(page->offset())) +
                " ns off, not " + std::to_string(offset_ns_);
  }
  return out;
}

}  // namespace holdfast
