// A history's operations as slices of a trace: of each client what it asked for and was answered, with its statements
// inside; of its watchdog the same; and what the nemesis told besides the faults' spans.
//
//   const TraceOperations told = trace_operations("cells/.../history.jsonl", from_ns, to_ns);
//   told.by_client.at(3).operations ...
//
// Operations outside the stretch are left out, and so is what comes after the first 200,000; `left_out` says so. Throws
// BadInput as the reader of histories does. It says nothing about who held what: that is the checker's to tell.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/trace_events.hpp"

namespace holdfast {

struct ClientTracks {
  std::vector<Slice> operations;
  std::vector<Slice> watchdog;
};

struct TraceOperations {
  std::map<std::uint32_t, ClientTracks> by_client;
  std::vector<Slice> nemesis;
  bool left_out = false;
};

TraceOperations trace_operations(const std::string& history, std::int64_t from_ns, std::int64_t to_ns);

}  // namespace holdfast
