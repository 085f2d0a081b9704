// Selects the part of a trial that a picture shows, and thins it so that a page stays small.
//
//   const Stretch w = focus(timeline, witness);               // the witness's neighbourhood
//   const auto bars = thinned_bars(timeline.spans, w, 120);  // neighbouring spans drawn as one where there are too
//   many
//
// Pure functions; times in nanoseconds of the trial.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "artifact/verdict.hpp"

namespace holdfast {

struct Stretch {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 1;
};

// One span, or several of one client and key that lie too close together to be distinguished.
struct Bar {
  Span span;
  int grants = 1;
};

Stretch whole(const Timeline&);

// Around the witness: the holds that take part, with a margin, but never so much that the violation itself is lost.
// Without a witness: around the first fault; without a fault: the whole trial.
Stretch focus(const Timeline&, const Witness*);

// Spans that touch the window, at most about `most` bars. Spans that touch `keep` are never joined.
std::vector<Bar> thinned_bars(const std::vector<Span>&, const Stretch&, std::size_t most,
                              const Witness* keep = nullptr);

// The clients to give a lane: those of the witness first, then those active in the window, ascending; at most `most`.
std::vector<std::uint32_t> lanes(const Timeline&, const Stretch&, const Witness*, std::size_t most);

}  // namespace holdfast
