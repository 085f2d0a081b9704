// The result of exploring one lock, as in explored.json and `explore --json`, and the order for its lab.
//
//   const auto results = read_json_file(file, from_json<std::vector<ExploreResult>>);
//   if (results.front().verdict == "violated") ... results.front().violations.front().text
//
// An Explored (explorer.hpp) is the search's internal result; result_of() converts it to words and numbers inside the
// lab. Everything outside uses ExploreResult.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "artifact/json_fields.hpp"
#include "explore/explorer.hpp"

namespace holdfast {

struct ExploreFind {
  std::string invariant;  // empty: a replay without violation
  int number = 1;
  bool severe = true;
  bool counts = false;
  std::string text;
  std::string cause;
  std::string flaw;    // the mistake that the schedule shows, in sentences; empty: none by itself
  std::string replay;  // the schedule
  Cost cost;
  bool row_lock_waits = false;
  std::string real_waits;
  Trace steps;

  static const JsonForm<ExploreFind>& form();
};

struct ExploreBounds {
  std::uint32_t clients = 0;
  int rounds = 0;
  int attempts = 0;
  int preemptions = 0;
  int time_jumps = 0;
  int faults = 0;

  static const JsonForm<ExploreBounds>& form();
};

struct ExploreResult {
  std::string lock;
  std::string verdict;
  bool complete = false;
  bool stopped = false;
  std::uint64_t schedules = 0;
  std::uint64_t merged = 0;
  std::uint64_t walks = 0;
  std::uint64_t states = 0;
  std::uint64_t left = 0;
  std::string first;
  int levels = 0;
  std::uint64_t grants = 0;
  std::map<std::string, std::uint64_t> statements;  // executed by the server, or answered from memory (memoized)
  double seconds = 0;
  int workers = 1;
  ExploreBounds bounds;
  ExploreSettings settings;
  std::int64_t promised_lease_ms = 0;
  bool lock_keeps_nothing = true;
  std::string within;
  std::vector<std::string> not_explored;
  std::vector<ExploreFind> violations;
  std::vector<PassedOver> passed_over;
  std::optional<RequestsExplored> at_requests;
  std::uint64_t untold_stories = 0;

  std::optional<ExploreFind> counterexample() const;
  static const JsonForm<ExploreResult>& form();
};

ExploreResult result_of(const Explored& explored);

// A schedule to repeat several times.
struct ExploreReplay {
  ExploreSettings settings;
  std::vector<Word> words;
  int repeat = 1;

  static const JsonForm<ExploreReplay>& form();
};

// Order for the lab; the locks are explored in this sequence.
struct ExploreOrder {
  std::vector<ExploreJob> jobs;
  std::vector<ExploreReplay> replays;

  static const JsonForm<ExploreOrder>& form();
};

}  // namespace holdfast
