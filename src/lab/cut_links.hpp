// The lab's links on which no packet passes at present, for the timekeeper (virtual_time/tcp_traffic.hpp): bytes on
// them will not arrive soon, so time can be skipped. Stored in a file in the lab's memory.
//
//   CutLinks links("cells/x/pause/1/lab/cut_links");            // creates the file if necessary
//   links.set("10.77.1.1", {"10.77.0.2"}, {"10.77.0.2"});       // nothing passes from there to that node, or back
//   links.is_cut(from, to)                                      // as numbers in network byte order
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

  // Replaces the cuts of a node. Only one process may call it; any of its threads.
  void set(const std::string& node, const std::vector<std::string>& from, const std::vector<std::string>& to);
  bool is_cut(std::uint32_t from, std::uint32_t to) const;
  bool is_any_cut(std::uint32_t node) const;  // any of the node's cuts

 private:
  struct Table;
  void add(std::uint32_t node, std::uint32_t from, std::uint32_t to);

  std::mutex setting_;
  Table* table_;
};

inline constexpr const char* kCutLinksFile = "/lab/cut_links";  // in the trial's folder

}  // namespace holdfast
