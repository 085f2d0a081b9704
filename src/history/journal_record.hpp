// The records of a journal as they stand in its file, in the machine's own byte order (journal.hpp).
#pragma once

#include <cstdint>

#include "history/event.hpp"

namespace holdfast {

enum class RecordKind : std::uint32_t { event = 1, statement = 2, padding = 3 };

struct Head {
  std::uint32_t length = 0;  // of the whole record, a multiple of 8; stored last
  RecordKind kind{};
};

enum Present : std::uint8_t { kHasToken = 1, kHasLease = 2, kInBackground = 4 };

struct EventRecord {
  Head head;
  std::int64_t time_ns;
  std::uint64_t number;
  std::uint64_t grant;
  std::uint64_t token;
  std::int64_t lease_ns;
  std::uint32_t process;
  std::uint32_t client;
  std::uint32_t key;
  EventType type;
  Op op;
  Reason reason;
  std::uint8_t present;  // bits of Present
};

struct StatementRecord {
  Head head;
  std::int64_t call_ns;
  std::int64_t return_ns;
  std::int64_t rows;
  std::int32_t error;
  std::uint32_t name_length;  // the name follows
};

inline bool in_range(std::int64_t ns) {
  return static_cast<std::uint64_t>(ns) <= std::uint64_t{kMaxTimeNs};
}

// Whatever stands in a file is looked at before it is taken for one of the kinds. As strict as with JSON lines: what is
// read here can be written there.
inline bool sensible(const EventRecord& record) {
  const bool words = record.type <= EventType::info && record.op <= Op::write && record.reason <= Reason::other;
  const bool numbers = (record.number | record.grant) >> 63 == 0 && in_range(record.time_ns);
  const bool lease = (record.present & kHasLease) == 0 || in_range(record.lease_ns);
  const bool background = (record.present & kInBackground) == 0 || record.op == Op::renew;
  return words && numbers && lease && background;
}

inline bool sensible(const StatementRecord& record) {
  return in_range(record.call_ns) && in_range(record.return_ns) && record.rows >= -1 && record.error >= 0;
}

}  // namespace holdfast
