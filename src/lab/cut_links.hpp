// The links of a lab on which no packet passes at present, for the timekeeper (virtual_time/tcp_traffic.hpp): bytes on
// them are not about to arrive, so that time can be skipped meanwhile. A file in the lab's memory.
//
//   CutLinks links("cells/x/pause/1/lab/cut_links");            // makes the file, where there is none
//   links.set("10.77.1.1", {"10.77.0.2"}, {"10.77.0.2"});       // nothing passes to that node from there, and back
//   links.is_cut(from, to)                                      // as numbers, in the network's order
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace holdfast {

class CutLinks {
 public:
  explicit CutLinks(const std::string& path);  // throws HarnessError
  ~CutLinks();
  CutLinks(const CutLinks&) = delete;
  CutLinks& operator=(const CutLinks&) = delete;

  // Of a node, in the place of what was set of it before. By one process; its threads may.
  void set(const std::string& node, const std::vector<std::string>& from, const std::vector<std::string>& to);
  bool is_cut(std::uint32_t from, std::uint32_t to) const;
  bool is_any_cut(std::uint32_t node) const;  // of those that were set of the node

 private:
  struct Table;
  void add(std::uint32_t node, std::uint32_t from, std::uint32_t to);

  std::mutex setting_;
  Table* table_;
};

inline constexpr const char* kCutLinksFile = "/lab/cut_links";  // in the trial's folder

}  // namespace holdfast
