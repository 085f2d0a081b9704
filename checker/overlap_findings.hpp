// Overlaps as findings. An overlap is known when the first of its two holds ends, its witness only when the other has
// ended too: witnesses show whole holds. So the kept ones stay open until then; there are only a few.
#pragma once

#include <string>
#include <vector>

#include "checker/findings.hpp"
#include "checker/overlap.hpp"
#include "checker/property.hpp"

namespace holdfast {

class OverlapFindings {
 public:
  // `what` ends the witness: "From 1.000 s to 2.000 s both acted as holder."
  OverlapFindings(const PropertyContext& context, const char* what) : context_(context), what_(what) {}

  // To be called for every hold that ends, before its overlaps are added.
  void ended(const Hold& hold);
  // `behind()`: what may be behind it, in words that end the witness; asked only where that will be kept.
  template <typename Behind>
  void add(const std::string& kind, const Overlap& overlap, const Behind& behind) {
    std::string note;
    const auto kept = findings_.add(kind, overlap.total_ns, [&] {
      note = behind();
      return write(overlap, note);
    });
    if (kept) open_.push_back({*kept, overlap, *overlap.earlier, *overlap.later, note});
  }
  void undecided(const std::string& reason) { findings_.undecided(reason); }

  bool violated() const { return findings_.violated(); }
  PropertyVerdict verdict() const { return findings_.verdict(); }

 private:
  struct Open {
    std::size_t witness = 0;
    Overlap overlap;
    Hold earlier;
    Hold later;
    std::string note;
  };
  std::string refused_writes(const Overlap& overlap) const;
  Witness write(const Overlap& overlap, const std::string& note) const;

  PropertyContext context_;
  const char* what_;
  Findings findings_;
  std::vector<Open> open_;
};

}  // namespace holdfast
