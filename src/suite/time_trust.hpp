// Tracks which locks' trials can skip time, based on earlier trials of a run. A lock whose program has its own clock,
// or a machine on which clocks cannot be replaced, must not cost each trial twice.
//
//   if (const std::string doubt = trust.doubt_of(lock, load); !doubt.empty()) ...   // run in real time immediately
//   trust.note(lock, doubt);                                                        // after a trial in skipped time
//
// Thread-safe, for the parallel trials of a run.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "artifact/load.hpp"

namespace holdfast {

class TimeTrust {
 public:
  // Returns why no further trial of the lock, or none with this load, should skip time; empty: it may. If clients send
  // requests without pauses, there is hardly any wait to skip.
  std::string doubt_of(const std::string& lock, const Load& load) const;
  void note(const std::string& lock, const std::string& doubt);  // empty: its clock was right throughout

 private:
  struct Seen {
    int right = 0;
    int doubtful = 0;
    bool real_is_faster = false;
    std::string doubt;  // the last
  };
  mutable std::mutex mutex_;
  std::map<std::string, Seen> seen_;
};

}  // namespace holdfast
