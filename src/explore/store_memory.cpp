#include "explore/store_memory.hpp"

#include <algorithm>
#include <mutex>

#include "explore/fingerprint.hpp"

namespace holdfast {

StoreContent::StoreContent(std::vector<StoredRow> rows)
    : rows_(std::move(rows)), first_end_us_(StoredRow{}.gone_after_us), print_(print_of(0)) {
  for (const auto& row : rows_) first_end_us_ = std::min(first_end_us_, row.gone_after_us);
}

std::uint64_t StoreContent::print_of(std::int64_t now_us) const {
  Fingerprint print;
  for (const auto& row : rows_) {
    if (row.gone_after_us < now_us) continue;
    print.add(row.gone_after_us);
    for (const auto& field : row.fields) print.add(field);
  }
  return print.value();
}

const StoreMemory::Entry* StoreMemory::find(std::uint64_t key) const {
  const std::shared_lock guard(mutex_);
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

const StoreMemory::Entry& StoreMemory::keep(std::uint64_t key, Entry entry) {
  const std::unique_lock guard(mutex_);
  return entries_.emplace(key, std::move(entry)).first->second;
}

void StoreMemory::clear() {
  const std::unique_lock guard(mutex_);
  entries_.clear();
}

}  // namespace holdfast
