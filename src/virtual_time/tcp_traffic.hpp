// Whether a byte is on its way between two sockets of a lab in virtual time: then whoever will get it is about to run,
// though every thread waits. The kernel is asked by sock_diag, in each network namespace of the lab's programs.
//
//   TcpTraffic traffic;
//   traffic.watch(process);        // once a process; its namespace is kept
//   traffic.note_ran(process);     // its sockets may have changed
//   if (!traffic.in_flight()) ...
//
// A byte has arrived once the peer's socket has counted it: acknowledgements may be delayed, so they say nothing. The
// peer is the socket whose far end is this one's near end, because a redirected connection has another near end.
//
// Where nothing was on its way, only the sockets of programs that have run since are asked again. If that leaves a
// doubt (a byte that the other end may have by now, an end without a peer), all are. Programs in the namespace of the
// first process may have sockets everywhere; the others have theirs where they are.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>

#include "lab/cut_links.hpp"

namespace holdfast {

class TcpTraffic {
 public:
  TcpTraffic();
  ~TcpTraffic();
  TcpTraffic(const TcpTraffic&) = delete;
  TcpTraffic& operator=(const TcpTraffic&) = delete;

  void watch(pid_t process);  // throws HarnessError: its namespace cannot be entered
  void note_ran(pid_t process);
  bool in_flight();  // throws HarnessError: the kernel does not answer
  // Links on which bytes stay, however long one waits.
  void leave_out(const CutLinks& cut) { cut_ = &cut; }

 private:
  struct Network;
  void read(bool all);
  bool is_quiet(bool all_were_read) const;

  const CutLinks* cut_ = nullptr;
  std::map<std::uint64_t, std::unique_ptr<Network>> networks_;  // by inode
  std::map<pid_t, Network*> network_of_;
  const Network* first_ = nullptr;  // of the first process
  bool any_may_have_changed_ = true;
};

}  // namespace holdfast
