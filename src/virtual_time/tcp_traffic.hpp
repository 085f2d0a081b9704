// Detects bytes in flight between two sockets of a lab in virtual time: their receiver is about to run although every
// thread waits. Queries the kernel by sock_diag in each network namespace of the lab's programs.
//
//   TcpTraffic traffic;
//   traffic.watch(process);        // once per process; its namespace is kept
//   traffic.note_ran(process);     // its sockets may have changed
//   if (!traffic.in_flight()) ...
//
// A byte has arrived once the peer's socket has counted it; acknowledgements may be delayed and are not used. The peer
// is the socket whose far end equals this one's near end, since a redirected connection has another near end.
//
// After a check without bytes in flight, only the sockets of programs that have run since are checked again. If a doubt
// remains (a byte the other end may have received, an end without a peer), all are checked. Programs in the first
// process's namespace may have sockets in any namespace; others have them in their own.
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

  void watch(pid_t process);  // throws HarnessError if its namespace cannot be entered
  void note_ran(pid_t process);
  bool in_flight();  // throws HarnessError if the kernel does not answer
  // Links on which bytes never arrive.
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
