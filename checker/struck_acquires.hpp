// Outcomes of the acquires that faults struck: a fault that is aimed at a grant, and strikes refused attempts only, has
// put nothing to the test.
//
//   struck.event(event);                    // every event of a run of ours, after Holds and FaultLog have seen it
//   struck.of_fault(n).no_grant()           // the n-th of FaultLog::all() struck some, and none that may be a grant
//   struck.by_name().at("pause")            // all faults of that name together
//   struck.holders(n)                       // clients that the n-th struck as holders
//
// A client is struck as a holder where it holds a key when the fault begins, or where its struck acquire may have been
// a grant that the server had executed by then.
//
// A fault's `begin` says whether it is aimed so (Event::aim). The struck attempt is the acquire that its client has
// open then, or, where the fault comes just before it, the next one. It may have been a grant, though it does not say
// so:
//
// - without an answer, unless another client held the key from the strike to the end of the attempt;
// - refused after the server had executed it, unless another client held the key at the strike or was granted it
//   before a lease from then could have run out, and before the client itself was: a client that looks at the time, or
//   takes an error for a refusal, may give up what it was granted, and find it its own when it asks again.
//
// Memory: one entry per fault and client.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "artifact/verdict.hpp"
#include "checker/causes.hpp"
#include "checker/holds.hpp"

namespace holdfast {

class StruckAcquires {
 public:
  StruckAcquires(const HistoryHeader& header, const Holds& holds, const FaultLog& faults)
      : header_(header), holds_(holds), faults_(faults) {}

  void event(const Event& event);

  StruckCounts of_fault(std::size_t number) const;
  std::map<std::string, StruckCounts> by_name() const;
  std::int64_t holders(std::size_t number) const;

 private:
  struct Strike {
    std::size_t fault = 0;
    FaultAim aim = FaultAim::none;
    std::uint32_t client = 0;
    std::int64_t begin_ns = 0;
    bool attached = false;  // to an attempt
    bool over = false;
    bool settled = false;  // its client was granted the key later on
    std::uint32_t process = 0;
    std::uint32_t key = 0;
    std::uint64_t holder = 0;     // the grant that another held at the strike; 0: none
    bool another_had_it = false;  // at the strike, or within a lease from there
    std::int64_t StruckCounts::*outcome = &StruckCounts::unanswered;
  };

  void count_holders(const Event& begun);
  void begin(const Event& event);
  void attach(Strike& strike, std::uint32_t process, std::uint32_t key);
  void called(const Event& event);
  void answered(const Event& event);
  void killed(const Event& event);
  void granted_to_another(const Event& event);
  bool kept_out(const Strike& strike) const;

  const HistoryHeader& header_;
  const Holds& holds_;
  const FaultLog& faults_;
  std::vector<Strike> strikes_;
  std::map<std::size_t, std::int64_t> held_;  // clients that held a key when the fault began
  std::int64_t now_ns_ = 0;
};

}  // namespace holdfast
