// One trial as the page's scripts need it, packed: every operation with its statements, who acted as holder and when,
// the faults, the violations.
//
//   HistoryReader history("cells/ip_lease/pause/1/history.jsonl");
//   in.packed["ip_lease/pause/1"] = packed_trial(history, verdict);
//
// The history is read to its end; what is wrong with it throws BadInput. Names are made visible (visible.hpp), and the
// scripts put them into the page as text only. What the fields mean is in page/trial.js, which reads them. A trial of
// ours, some 1500 events, is about 9 kB; 100,000 events are some 600 kB.
#pragma once

#include "artifact/verdict.hpp"
#include "history/history_source.hpp"
#include "reports/packed_text.hpp"

namespace holdfast {

PackedText packed_trial(HistorySource& history, const TrialVerdict&);

}  // namespace holdfast
