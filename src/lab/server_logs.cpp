#include "lab/server_logs.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "artifact/descriptor.hpp"
#include "artifact/error.hpp"
#include "artifact/input_file.hpp"
#include "artifact/log_bounds.hpp"
#include "artifact/plain_file.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kBetweenLooks{250};
constexpr std::size_t kRoom = 3 * kEndOfLogKept;  // for the kept end, the notice, and further text
constexpr const char* kNotice = "\nholdfast: the log is full; of the rest only the end is kept\nholdfast: ";

}  // namespace

void ServerLogs::look() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + kBetweenLooks;
  look_at_all();
}

void ServerLogs::finish() {
  look_at_all();
}

// An adapter's log is bounded while it is written.
void ServerLogs::look_at_all() {
  std::error_code failed;
  for (fs::directory_iterator at(folder_, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    std::error_code gone;
    const bool log = at->path().extension() == ".log" && !name.starts_with("adapter-");
    if (!log || at->symlink_status(gone).type() != fs::file_type::regular) continue;
    const auto size = at->file_size(gone);
    if (gone || size <= kBeginOfLog + kRoom) continue;
    try {
      cut(name, size);
    } catch (const std::exception&) {  // not a plain file any more: reported at the end of the trial
    }
  }
}

// Keeps the end at each look, since the server may write nothing more.
void ServerLogs::cut(const std::string& name, std::uint64_t size) {
  const std::string tail = InputFile::in(folder_, name).tail(kEndOfLogKept);
  const Descriptor file = open_plain_file(folder_ + "/" + name, FileUse::append);
  if (::ftruncate(file.get(), kBeginOfLog) != 0) return;
  Cut& kept = cuts_[name];
  kept.beyond += size - kBeginOfLog - kept.own;
  const std::string left_out = std::to_string(kept.beyond - std::min<std::uint64_t>(tail.size(), kept.beyond));
  const std::string end = kNotice + left_out + " bytes left out\n" + tail;
  const ssize_t added = ::write(file.get(), end.data(), end.size());
  kept.own = added > 0 ? static_cast<std::uint64_t>(added) : 0;
}

}  // namespace holdfast
