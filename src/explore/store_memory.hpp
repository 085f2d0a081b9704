// What a MemoizedStore keeps: answers by the state that they were given in, and where a schedule has come to.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "servers/stepped_store.hpp"

namespace holdfast {

class StoreContent {
 public:
  explicit StoreContent(std::vector<StoredRow> rows);
  // Rows that are over by then are as good as gone.
  std::uint64_t print(std::int64_t now_us) const { return now_us <= first_end_us_ ? print_ : print_of(now_us); }
  const std::vector<StoredRow>& rows() const { return rows_; }

 private:
  std::uint64_t print_of(std::int64_t now_us) const;
  std::vector<StoredRow> rows_;
  std::int64_t first_end_us_;
  std::uint64_t print_;  // of all of them
};

struct StoreState {
  std::uint64_t done = 0;                       // of what was done, where the content does not tell
  std::shared_ptr<const StoreContent> content;  // where it does
  std::uint64_t holds = 0;                      // a bit for each session
};

// A call and those before it.
struct StorePast {
  std::shared_ptr<const StorePast> before;
  StoreCall call;
};

struct StorePoint {
  StoreState state;
  std::shared_ptr<const StorePast> past;
};

class StoreMemory {
 public:
  struct Entry {
    std::shared_ptr<const Executed> executed;
    StoreState after;
  };
  const Entry* find(std::uint64_t key) const;
  const Entry& keep(std::uint64_t key, Entry entry);
  void clear();

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uint64_t, Entry> entries_;
};

}  // namespace holdfast
