// What of a fault there can be more or less of, found in the catalogue: its required integer setting (client_skew:
// step_ms), else how long it lasts (pause: for_ms), else an integer that may be set (partition.percent). A new fault
// with such a setting has an envelope without another line here.
//
//   fault_amount("skew")                -> client_skew, step_ms, both directions
//   fault_amount("partition.percent")   -> that setting
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace holdfast {

struct FaultAmount {
  std::string fault;
  std::string key;
  std::int64_t least = 0;  // what the fault takes; negative: the other direction
  std::int64_t most = 0;
  bool lasts = true;             // it is in force for a time
  bool strikes_servers = false;  // else clients

  bool is_length() const { return key == "for_ms"; }  // else the fault is as strong as that, all the time
  bool is_time() const { return key.ends_with("_ms"); }
};

// Every fault's, the one that is meant by its name alone first.
std::vector<FaultAmount> fault_amounts(const std::string& fault);

// `word`: FAULT, FAULT.KEY, or a word of a fault's name when it is one fault's (of several: the one that strikes
// clients). Throws BadInput: which faults have amounts.
FaultAmount fault_amount(const std::string& word);

}  // namespace holdfast
