#include "virtual_time/clocked_program.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "artifact/error.hpp"
#include "lab/process_memory.hpp"
#include "lab/vdso_image.hpp"
#include "virtual_time/clock_code.hpp"
#include "virtual_time/lab_clock.hpp"

namespace holdfast {
namespace {

constexpr std::string_view kSystemCall = "\x0f\x05";

// movabs $address, %rax; jmp *%rax
std::string jump_to(std::uint64_t address) {
  std::string out = "\x48\xb8";
  for (unsigned i = 0; i < 8; ++i) out += static_cast<char>(address >> (8 * i) & 0xff);
  return out + "\xff\xe0";
}

std::optional<std::uint64_t> code_for(const std::string& name) {
  const ClockCode code = clock_code();
  if (name == "clock_gettime") return kClockCode + code.clock_gettime;
  if (name == "gettimeofday") return kClockCode + code.gettimeofday;
  if (name == "time") return kClockCode + code.time;
  return std::nullopt;
}

bool map_page(TracedThread& thread, std::uint64_t instruction, std::uint64_t address, int protection, int descriptor,
              std::uint64_t offset) {
  const auto got = thread.call(instruction, SYS_mmap,
                               {address, kClockBytes, static_cast<std::uint64_t>(protection),
                                MAP_SHARED | MAP_FIXED_NOREPLACE, static_cast<std::uint64_t>(descriptor), offset});
  return got && *got == static_cast<long>(address);
}

std::string replace_functions(const ProcessMemory& memory, const MemoryRange& range, std::string_view image) {
  for (const VdsoEntry& entry : read_vdso_image(image, 0).entries) {
    const auto code = code_for(entry.name);
    if (!code) continue;
    const std::string jump = jump_to(*code);
    if (entry.end - entry.jump < jump.size()) return "its vDSO has no room for a jump in " + entry.name;
    if (!memory.write(range.begin + entry.jump, jump)) return "it has ended";
  }
  return "";
}

}  // namespace

std::string give_clock(TracedThread& thread, int descriptor) {
  const ProcessMemory memory(thread.tid());
  const auto range = memory.range("[vdso]");
  if (!range) return "it has no vDSO";
  const auto image = memory.read(range->begin, range->size);
  if (!image) return "it has ended";
  const std::size_t at = image->find(kSystemCall);
  if (at == std::string::npos) return "its vDSO has no system call";
  const std::uint64_t instruction = range->begin + at;
  const bool mapped = map_page(thread, instruction, kClockPage, PROT_READ | PROT_WRITE, descriptor, 0) &&
                      map_page(thread, instruction, kClockCode, PROT_READ | PROT_EXEC, descriptor, kClockBytes);
  thread.call(instruction, SYS_close, {static_cast<std::uint64_t>(descriptor), 0, 0, 0, 0, 0});
  if (!mapped) return "the clock page cannot be mapped into it";
  return replace_functions(memory, *range, *image);
}

}  // namespace holdfast
