// Which locks' trials can skip time, as the trials of a run have shown. A lock whose program has a clock of its own, or
// a machine on which no clock can be replaced, must not cost each trial twice.
//
//   if (const std::string doubt = trust.doubt_of(lock, load); !doubt.empty()) ...   // in real time at once
//   trust.note(lock, doubt);                                                        // of a trial in skipped time
//
// Trials of a run use it from several threads.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "artifact/load.hpp"

namespace holdfast {

class TimeTrust {
 public:
  // Returns why no further trial of the lock, or none with this load, should skip time; empty: it may. Where clients
  // ask without a pause there is hardly any wait to skip.
  std::string doubt_of(const std::string& lock, const Load& load) const;
  void note(const std::string& lock, const std::string& doubt);  // empty: its clock was right throughout

 private:
  struct Seen {
    int right = 0;
    int doubtful = 0;
    std::string doubt;  // the last
  };
  mutable std::mutex mutex_;
  std::map<std::string, Seen> seen_;
};

}  // namespace holdfast
