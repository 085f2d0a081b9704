// Events as Chrome's trace viewers read them (Perfetto, chrome://tracing): slices on tracks, counters, names.
//
//   TraceEvents out;
//   out.process(10, "client 3", 2);
//   out.track(10, "belief", {{14'203'000'000, 15'015'000'000, "holds orders"}});
//   out.counter(1, "holders of orders", {{14'203'000'000, 1}, {15'015'000'000, -1}});
//   write_text_file("trace.json", std::move(out).take({{"lock", "nowait_lease"}}));
//
// Slices that overlap go to further tracks ("belief 2"), so that on each every begin (B) has its end (E) and time never
// goes back. A counter starts and ends at 0. Times come in nanoseconds and leave in microseconds, as the format wants.
// It knows nothing of locks.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "artifact/input_file.hpp"

namespace holdfast {

struct Slice {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;  // an event that ends before it began ends when it began
  std::string name;
  nlohmann::ordered_json args = nlohmann::ordered_json::object();
  std::vector<Slice> inner;  // one after the other, inside it; what sticks out is cut off
};

class TraceEvents {
 public:
  void process(int pid, const std::string& name, int position);
  void track(int pid, const std::string& name, std::vector<Slice> slices);
  // Changes in any order; of those at one moment what falls comes first, since equal times are not ordered.
  void counter(int pid, const std::string& name, std::vector<std::pair<std::int64_t, int>> changes);
  std::string take(const nlohmann::ordered_json& other_data) &&;

 private:
  void event(const nlohmann::ordered_json& event);
  void slice(int pid, int tid, const Slice& slice, std::int64_t least_ns, std::int64_t most_ns);

  std::string out_;
  int next_tid_ = 1;  // one for all processes: some readers take a tid for unique
};

// A history's operations as slices of a trace: each client's calls and answers, with its statements inside; its
// watchdog's likewise; and the nemesis's records besides the faults' spans.
//
//   const TraceOperations told = trace_operations("cells/.../history.jsonl", from_ns, to_ns);
//   told.by_client.at(3).operations ...
//
// Operations outside the stretch are left out, and so are those after the first 200,000; `left_out` counts them. Throws
// BadInput as the reader of histories does. Holds are not included: those are the checker's.

struct ClientTracks {
  std::vector<Slice> operations;
  std::vector<Slice> watchdog;
};

struct TraceOperations {
  std::map<std::uint32_t, ClientTracks> by_client;
  std::vector<Slice> nemesis;
  bool left_out = false;
};

TraceOperations trace_operations(const InputFile& history, std::int64_t from_ns, std::int64_t to_ns);

}  // namespace holdfast
