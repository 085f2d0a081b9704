// Notes of a check that are never judged: measures, the timeline, and events that no property looks at.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "artifact/verdict.hpp"
#include "checker/busy_rule.hpp"
#include "checker/by_id.hpp"
#include "checker/free_rule.hpp"
#include "checker/latest_token.hpp"
#include "checker/loss_notices.hpp"
#include "checker/overtakes.hpp"
#include "checker/property.hpp"

namespace holdfast {

// Counts what is measured and never judged: operations, grants, refusals, waiting times.
//
// A wait lasts from the first attempt of a client on a key to its grant. Waits are counted in buckets that are 1/64
// wide, so the percentiles are exact to 1.6 % in a fixed few kilobytes.
class WaitHistogram {
 public:
  void add(std::int64_t ns);
  std::int64_t percentile(double share) const;  // 0 if it is empty

 private:
  std::array<std::int64_t, std::size_t{64} * 64> counts_{};
  std::int64_t total_ = 0;
};

class MeasuresRecord {
 public:
  explicit MeasuresRecord(const PropertyContext& context);
  void granted(const Hold& hold);
  void ended(const Hold& hold);
  // Events of clients except leaves, after Holds has processed them.
  void called(const Event& event);
  void answered(const Event& event) {
    if (event.type == EventType::info) ++measures_.indeterminate;
    if (event.reason == Reason::conflict && event.type == EventType::fail) ++measures_.conflicts;
    if (event.op == Op::acquire) acquired(event);
  }
  void killed(const Event& event) { overtakes_.killed(event); }
  void event_of_run(const Event& event);  // every event of a run of ours, before these
  Measures finish();

  void waited(const Waited& one, const std::vector<Overtaking>&);

 private:
  void acquired(const Event& answer);
  void lost(const LossNotice& notice);

  struct Wait {
    bool waiting = false;
    std::uint32_t key = 0;
    std::int64_t since_ns = 0;
  };
  PropertyContext context_;
  Measures measures_;
  WaitHistogram waits_;
  ById<Wait> wait_;  // by client
  std::int64_t refused_free_ = 0;
  FreeRule free_;  // counts judged cases, too
  LossNotices losses_;
  WaitHistogram notices_;
  Overtakes<MeasuresRecord> overtakes_;
};

// Fills a verdict's timeline: beliefs of each client with their times, faults, writes. Keeps only a part of a long
// history: the first violation's neighbourhood, or the end if there is none.
class TimelineRecord {
 public:
  explicit TimelineRecord(const PropertyContext& context) : context_(context) {}

  static bool shows(const Event& answer) { return answer.op == Op::write; }  // other answers are not recorded

  // `violated`: whether a violation has been seen by now.
  void ended(const Hold& hold, bool violated);
  void event(const Event& event, bool violated);
  Timeline finish();

 private:
  // As a verdict's Span and WriteMark, but without words: most are let go again.
  struct Held {
    std::uint32_t client = 0;
    std::uint32_t key = 0;
    std::int64_t from_ns = 0;
    std::int64_t to_ns = 0;
    std::int64_t lease_end_ns = 0;
    std::uint64_t grant_index = 0;
    std::uint64_t end_index = 0;
    LeaseDoubts doubts;
  };
  struct Wrote {
    std::uint32_t client = 0;
    std::uint32_t key = 0;
    std::int64_t time_ns = 0;
    EventType type = EventType::ok;
    std::uint64_t index = 0;
  };
  // Items in the order in which they came, the oldest of which may have made room for the newest.
  template <typename Item>
  struct Row {
    std::vector<Item> items;
    std::size_t first = 0;  // first of `items` in ring order
    std::size_t count = 0;  // number of `items`
    template <typename Visit>
    void each(const Visit& visit) const {
      for (std::size_t i = 0; i < count; ++i) visit(items[(first + i) % count]);
    }
  };
  template <typename Item>
  void add(Row<Item>& row, const Item& item, bool violated);

  PropertyContext context_;
  bool cut_ = false;
  Row<Held> held_;
  Row<Wrote> wrote_;
};

// Parts of a foreign history that no applicable property looks at. They are listed beside the verdict, so that they are
// not taken for judged.
//
//   Unjudged unjudged(context);
//   unjudged.answered(event);              // each answer to a client, after Holds has processed it
//   for (const std::string& what : unjudged.told()) ...
//
// Memory: a few numbers a key.
class Unjudged {
 public:
  explicit Unjudged(const PropertyContext& context);

  void answered(const Event& event);
  std::vector<std::string> told() const;

 private:
  struct Seen {
    std::int64_t count = 0;
    std::uint64_t first = 0;
    std::uint64_t after = 0;
  };
  static void see(Seen& seen, std::uint64_t index, std::uint64_t after = 0);
  void granted(const Event& event);
  void tell_tokens(std::vector<std::string>& out) const;
  void tell_leases(std::vector<std::string>& out) const;

  PropertyContext context_;
  bool tokens_are_judged_;
  bool leases_are_judged_;
  bool judges_owners_;
  ById<LatestToken> tokens_;  // by key
  std::int64_t with_token_ = 0;
  std::int64_t with_lease_ = 0;
  Seen falling_;
  Seen without_reason_;
  Seen renewed_nothing_;
};

}  // namespace holdfast
