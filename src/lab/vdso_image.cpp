#include "lab/vdso_image.hpp"

#include <elf.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/poll_until.hpp"

namespace holdfast {
namespace {

constexpr std::string_view kEndBranch = "\xf3\x0f\x1e\xfa";  // endbr64, required as the target of an indirect call
constexpr std::size_t kAlign = 64;

Unavailable unusable(const std::string& why) {
  return Unavailable("the vDSO " + why + "; remedy: use a 64-bit program, another kernel, or no fault of its clock");
}

// Value at an offset, if it lies inside the image.
template <typename Value>
Value value_at(std::string_view bytes, std::uint64_t offset) {
  Value value;
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) throw unusable("refers to data outside it");
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

struct Symbols {
  std::uint64_t table = 0;
  std::uint64_t strings = 0;
  std::uint64_t strings_size = 0;
  std::uint64_t count = 0;
};

// From the dynamic section, as the C library reads it. It does not give the number of symbols; the kernel's link script
// puts their names directly after them.
Symbols symbols_of(std::string_view bytes, const Elf64_Phdr& dynamic) {
  Symbols out;
  for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic.p_filesz; at += sizeof(Elf64_Dyn)) {
    const auto entry = value_at<Elf64_Dyn>(bytes, dynamic.p_offset + at);
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_SYMTAB) out.table = entry.d_un.d_ptr;
    if (entry.d_tag == DT_STRTAB) out.strings = entry.d_un.d_ptr;
    if (entry.d_tag == DT_STRSZ) out.strings_size = entry.d_un.d_val;
  }
  if (out.table == 0 || out.strings <= out.table || out.strings > bytes.size()) throw unusable("has no symbols");
  out.count = (out.strings - out.table) / sizeof(Elf64_Sym);
  out.strings_size = std::min<std::uint64_t>(out.strings_size, bytes.size() - out.strings);
  return out;
}

// A distance is signed: it may lead back.
template <typename Distance>
bool lands_in(std::string_view bytes, std::size_t distance_at, std::size_t begin, std::size_t end) {
  if (distance_at + sizeof(Distance) > bytes.size()) return false;
  const std::int64_t distance{value_at<Distance>(bytes, distance_at)};
  const std::int64_t target = static_cast<std::int64_t>(distance_at + sizeof(Distance)) + distance;
  return target > static_cast<std::int64_t>(begin) && target < static_cast<std::int64_t>(end);
}

// Returns true if any bytes in [from, to) that may be a jump or call lead into the middle of the five bytes. May report
// a jump where there is none, never the reverse.
bool is_jumped_into(std::string_view bytes, std::size_t jump, std::size_t from, std::size_t to) {
  const std::size_t end = jump + kJump_bytes;
  for (std::size_t at = from; at < to; ++at) {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = at + 1 < to ? static_cast<unsigned char>(bytes[at + 1]) : 0U;
    const bool is_short = first == 0xeb || (first & 0xf0U) == 0x70 || (first & 0xfcU) == 0xe0;
    const bool is_near = first == 0xe8 || first == 0xe9;
    const bool is_long = first == 0x0f && (second & 0xf0U) == 0x80;
    if (is_short && lands_in<std::int8_t>(bytes, at + 1, jump, end)) return true;
    if (is_near && lands_in<std::int32_t>(bytes, at + 1, jump, end)) return true;
    if (is_long && lands_in<std::int32_t>(bytes, at + 2, jump, end)) return true;
  }
  return false;
}

VdsoEntry entry_of(std::string_view bytes, const std::string& name, const Elf64_Sym& symbol) {
  const std::size_t begin = symbol.st_value;
  if (begin > bytes.size() || symbol.st_size > bytes.size() - begin) throw unusable("refers to data outside it");
  const std::size_t end = begin + symbol.st_size;
  const bool marked = bytes.substr(begin, kEndBranch.size()) == kEndBranch;
  const std::size_t jump = marked ? begin + kEndBranch.size() : begin;
  if (jump + kJump_bytes > end) throw unusable("has too short a " + name);
  if (is_jumped_into(bytes, jump, jump + kJump_bytes, end)) return {name, jump, begin + 1, end, end};
  return {name, jump, jump + 1, jump + kJump_bytes, end};
}

bool is_clock(std::string_view name) {
  return name == "clock_gettime" || name == "gettimeofday" || name == "time";
}

std::vector<VdsoEntry> entries_of(std::string_view bytes, const Symbols& symbols) {
  constexpr std::string_view kPrefix = "__vdso_";
  std::vector<VdsoEntry> out;
  for (std::uint64_t number = 0; number < symbols.count; ++number) {
    const auto symbol = value_at<Elf64_Sym>(bytes, symbols.table + number * sizeof(Elf64_Sym));
    if (symbol.st_name >= symbols.strings_size || symbol.st_shndx == SHN_UNDEF) continue;
    const std::string_view from = bytes.substr(symbols.strings, symbols.strings_size).substr(symbol.st_name);
    const std::string_view name = from.substr(0, from.find('\0'));
    if (name.substr(0, kPrefix.size()) != kPrefix || !is_clock(name.substr(kPrefix.size()))) continue;
    out.push_back(entry_of(bytes, std::string(name.substr(kPrefix.size())), symbol));
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  if (out.empty() || out.front().name != "clock_gettime") throw unusable("has no clock_gettime");
  return out;
}

// End of everything named by headers: segments, sections, and the headers themselves.
std::size_t end_of_content(std::string_view bytes, const Elf64_Ehdr& header) {
  std::uint64_t end = header.e_phoff + header.e_phnum * sizeof(Elf64_Phdr);
  end = std::max<std::uint64_t>(end, header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr));
  for (unsigned number = 0; number < header.e_phnum; ++number) {
    const auto segment = value_at<Elf64_Phdr>(bytes, header.e_phoff + number * sizeof(Elf64_Phdr));
    end = std::max<std::uint64_t>({end, segment.p_offset + segment.p_filesz, segment.p_offset + segment.p_memsz});
  }
  for (unsigned number = 0; number < header.e_shnum; ++number) {
    const auto section = value_at<Elf64_Shdr>(bytes, header.e_shoff + number * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_NOBITS) end = std::max<std::uint64_t>(end, section.sh_offset + section.sh_size);
  }
  return end;
}

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

VdsoImage read_vdso_image(std::string_view bytes, std::size_t room_bytes) {
  const auto header = value_at<Elf64_Ehdr>(bytes, 0);
  const bool is_elf = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
  if (!is_elf || header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64) {
    throw unusable("is not for 64-bit x86");
  }
  VdsoImage out;
  for (unsigned number = 0; number < header.e_phnum; ++number) {
    const auto segment = value_at<Elf64_Phdr>(bytes, header.e_phoff + number * sizeof(Elf64_Phdr));
    if (segment.p_type == PT_LOAD && segment.p_vaddr != segment.p_offset) throw unusable("is linked to an address");
    if (segment.p_type == PT_DYNAMIC) out.entries = entries_of(bytes, symbols_of(bytes, segment));
  }
  if (out.entries.empty()) throw unusable("has no symbols");
  const std::size_t end = end_of_content(bytes, header);
  out.room = (end + kAlign - 1) / kAlign * kAlign;
  if (end > bytes.size() || out.room > bytes.size() || bytes.size() - out.room < room_bytes) {
    throw unusable("has no room for " + std::to_string(room_bytes) + " bytes");
  }
  return out;
}

// During execve a process has no vDSO for a moment, and memory opened before becomes invalid.
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

// Parses the read image: returns true if the installed code and all jumps are complete.
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
    throw HarnessError("the vDSO of process " + std::to_string(pid_) +
                       " was changed by another program: it has no room");
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
  throw HarnessError("the vDSO of process " + std::to_string(pid_) + " differs when read back");
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
  throw HarnessError("the clock of process " + std::to_string(pid_) + " differs when read back");
}

}  // namespace holdfast
