#include "lab/vdso_page.hpp"

#include <chrono>
#include <cstddef>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kExecute_ms = 500;

std::size_t ours_for(const VdsoEntry& entry) {
  const VdsoCode code = vdso_code();
  if (entry.name == "clock_gettime") return code.clock_gettime;
  return entry.name == "time" ? code.time : code.gettimeofday;
}

std::string_view bytes_of(const auto& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

bool is_same(const VdsoOffset& a, const VdsoOffset& b) {
  return a.seconds == b.seconds && a.nanoseconds == b.nanoseconds;
}

}  // namespace

// Between two programs (execve) a process has no vDSO for a moment, and what was opened before is gone.
std::optional<VdsoPage> VdsoPage::of(pid_t pid) {
  const auto too_late = after_ms(kExecute_ms);
  while (true) {
    const bool last = too_late();
    auto memory = std::make_unique<ProcessMemory>(pid);
    const auto range = memory->range("[vdso]");
    if (!range && !memory->range("[stack]")) return std::nullopt;  // it has ended
    auto bytes = range ? memory->read(range->begin, range->size) : std::nullopt;
    if (bytes) return VdsoPage(pid, std::move(memory), *range, std::move(*bytes));
    if (last) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  throw Unavailable("process " + std::to_string(pid) +
                    " has no vDSO that can be read; remedy: start the kernel without vdso=0, and the program without "
                    "a tool that hides it");
}

VdsoPage::VdsoPage(pid_t pid, std::unique_ptr<ProcessMemory> memory, MemoryRange range, std::string bytes)
    : pid_(pid), memory_(std::move(memory)), range_(range), bytes_(std::move(bytes)) {
  image_ = read_vdso_image(bytes_, vdso_code().bytes.size());
  load();
}

// Looks at what was read: code and jumps of ours, all of them, or not.
bool VdsoPage::load() {
  const std::string_view code = vdso_code().bytes;
  const std::string_view seen = std::string_view(bytes_).substr(image_.room, code.size());
  has_clock_ = std::memcmp(seen.data(), code.data(), sizeof VdsoTable::mark) == 0 &&
               seen.substr(sizeof(VdsoTable)) == code.substr(sizeof(VdsoTable));
  for (const VdsoEntry& entry : image_.entries) {
    has_clock_ = has_clock_ && bytes_.compare(entry.jump, kJump_bytes, jump_of(entry)) == 0;
  }
  return has_clock_;
}

VdsoTable VdsoPage::table() const {
  VdsoTable out;
  std::memcpy(&out, bytes_.data() + image_.room, sizeof out);
  return out;
}

VdsoOffset VdsoPage::offset() const {
  const VdsoTable now = table();
  return now.slots[now.count % 2];
}

std::string VdsoPage::jump_of(const VdsoEntry& entry) const {
  const auto distance = static_cast<std::int32_t>(image_.room + ours_for(entry) - (entry.jump + kJump_bytes));
  return "\xe9" + std::string(bytes_of(distance));
}

bool VdsoPage::is_in_the_way(std::uint64_t address) const {
  for (const VdsoEntry& entry : image_.entries) {
    if (address >= range_.begin + entry.from && address < range_.begin + entry.to) return true;
  }
  return false;
}

bool VdsoPage::write(std::size_t offset, std::string_view bytes) const {
  return memory_->write(range_.begin + offset, bytes);
}

bool VdsoPage::try_write() const {
  return write(image_.room, std::string_view(bytes_).substr(image_.room, 1));
}

// The code first, the jumps to it last.
bool VdsoPage::equip(const VdsoOffset& offset) {
  const VdsoCode code = vdso_code();
  const std::string_view room = std::string_view(bytes_).substr(image_.room, code.bytes.size());
  const bool is_free = room.find_first_not_of('\0') == std::string_view::npos;
  const bool is_ours = std::memcmp(room.data(), code.bytes.data(), sizeof VdsoTable::mark) == 0;
  if (!is_free && !is_ours) {
    throw HarnessError("the vDSO of process " + std::to_string(pid_) + " was changed by somebody else: it has no room");
  }
  VdsoTable begin{};
  std::memcpy(&begin, code.bytes.data(), sizeof begin);
  begin.slots[0] = offset;
  bool wrote = write(image_.room, std::string(bytes_of(begin)) + std::string(code.bytes.substr(sizeof begin)));
  for (const VdsoEntry& entry : image_.entries) wrote = wrote && write(entry.jump, jump_of(entry));
  if (!wrote) return false;
  auto read = memory_->read(range_.begin, range_.size);
  if (!read) return false;
  bytes_ = std::move(*read);
  if (load() && is_same(this->offset(), offset)) return true;
  throw HarnessError("the vDSO of process " + std::to_string(pid_) + " does not read back as it was written");
}

// See vdso_code.hpp for the order.
bool VdsoPage::set_offset(const VdsoOffset& offset) {
  const auto count = static_cast<std::uint8_t>(table().count + 1);
  const std::size_t slot = image_.room + offsetof(VdsoTable, slots) + count % 2 * sizeof(VdsoOffset);
  const bool wrote = write(slot, bytes_of(offset)) && write(image_.room + offsetof(VdsoTable, count), bytes_of(count));
  auto read = wrote ? memory_->read(range_.begin, range_.size) : std::nullopt;
  if (!read) return false;
  bytes_ = std::move(*read);
  if (load() && is_same(this->offset(), offset)) return true;
  throw HarnessError("the clock of process " + std::to_string(pid_) + " does not read back as it was set");
}

}  // namespace holdfast
