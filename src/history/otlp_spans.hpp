// Events of a lock in spans of OpenTelemetry, in order of time: a call at a span's start, its answer at its end.
//
//   OtlpSpans spans(mapping);
//   spans.read(line);                                      // one request of OTLP/JSON
//   while (spans.front() != nullptr) { use(*spans.front()); spans.advance(); }
//
// Spans are written when they end, in batches, so each may begin long before those written earlier: the caller reads
// ahead while there is room. Other spans are skipped, as are logs, metrics, and a span that was one of the last
// kRemembered. If a span ends when another of its holder begins, it comes first.
//
// Memory: kMostSpans spans read ahead, and the names. Throws BadInput with the bare reason.
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "history/logged_event.hpp"
#include "history/otlp_request.hpp"

namespace holdfast {

inline constexpr std::size_t kMostSpans = std::size_t{1} << 20;
inline constexpr std::size_t kRemembered = std::size_t{1} << 17;

class OtlpSpans {
 public:
  explicit OtlpSpans(OtlpMapping mapping) : mapping_(std::move(mapping)) {}

  void read(std::string_view line, std::uint64_t position);
  bool has_room() const { return ahead_.size() < 2 * kMostSpans; }
  LoggedEvent* front() { return has_front_ ? &front_ : nullptr; }
  void advance();

  // Explains why no span is of the lock; empty: some are.
  std::string why_none() const;
  // A reason to doubt the outcomes; empty: none.
  std::string warning() const;

 private:
  struct SpanEvent {
    std::int64_t time_ns = 0;
    std::uint64_t sequence = 0;
    std::uint64_t position = 0;
    std::uint64_t token = 0;
    std::int64_t lease_ns = 0;
    std::uint32_t holder = 0;
    std::uint32_t key = 0;
    std::uint8_t rank = 0;  // among the events of one time
    EventType type = EventType::invoke;
    Op op = Op::acquire;
    Reason reason = Reason::none;
    bool has_token = false;
    bool has_lease = false;
    bool shared = false;
    bool background = false;
  };
  class Names {
   public:
    std::uint32_t id_of(const std::string& name);
    const std::string& at(std::uint32_t id) const { return names_[id]; }

   private:
    std::unordered_map<std::string, std::uint32_t> ids_;
    std::deque<std::string> names_;  // they stay where they are
  };
  static bool later(const SpanEvent& a, const SpanEvent& b);
  void take(const OtlpSpan& span, std::uint64_t position);
  void take_outcome(const OtlpSpan& span, SpanEvent& answer);
  std::string holder_of(const OtlpSpan& span) const;
  std::string key_of(const OtlpSpan& span) const;
  void push(const SpanEvent& event);
  bool was_read(std::uint64_t span);
  void show(const SpanEvent& event);
  void note_other(const std::string& name);

  OtlpMapping mapping_;
  Names holders_;
  Names keys_;
  std::vector<SpanEvent> ahead_;            // a heap, the earliest first; without the front
  std::unordered_set<std::uint64_t> read_;  // identities of the last kRemembered spans
  std::deque<std::uint64_t> read_order_;
  LoggedEvent front_;
  SpanEvent shown_;
  bool has_front_ = false;
  std::uint64_t sequence_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t told_ = 0;  // spans with a known outcome: by a pattern, or the status ERROR
  std::uint64_t others_ = 0;
  std::set<std::string> other_names_;  // a few
};

}  // namespace holdfast
