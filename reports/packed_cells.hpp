// The cells of a large run: a page of hundreds of open cells would be slow, so that each has a line, and its body is
// packed until it is opened.
//
//   PackedCells cells(in);
//   cells.write_all(out);
//   cells.write_bodies(out);       packed, after everything that is read
//
// Up to kMostOpenCells cells are written whole, and so are the first few that are not as expected. In a larger run each
// lock has a list of its cells, which is open if one of them is not as expected. Without scripts a packed cell has its
// results in words and the command that repeats it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "reports/html.hpp"
#include "reports/page.hpp"

namespace holdfast {

inline constexpr std::size_t kMostOpenCells = 200;
inline constexpr std::size_t kLargestManyCells = 2'700'000;  // bytes of a page whose cells are packed

bool packs_cells(const RunAssessment&);

class PackedCells {
 public:
  explicit PackedCells(const PageInput& in) : in_(in) {}
  void write_all(HtmlWriter& out);
  void write_bodies(HtmlWriter& out) const;

 private:
  void write(const CellAssessment& one, HtmlWriter& out);
  void write_lock(const std::vector<const CellAssessment*>& cells, HtmlWriter& out);

  const PageInput& in_;
  std::size_t whole_ = 0;
  std::vector<const CellAssessment*> packed_;
};

}  // namespace holdfast
