// A schedule as a program of its own: shell lines that send its requests, in its order, to a plain server, so that the
// maintainer of a lock can run it without holdfast.
//
//   const std::string text = schedule_script(find, {"my_lock", server_type("redis").script});
//   text   "#!/usr/bin/env bash ... send A SET orders A1 NX PX 2000 ... sleep 2.001 ... send B SET orders B1 NX PX
//   2000"
//
// A database gets a session for each client of the schedule. Answers are printed beside those that explore saw; nothing
// is judged.
#pragma once

#include <string>

#include "explore/explore_result.hpp"
#include "servers/server_type.hpp"

namespace holdfast {

struct ScriptedLock {
  std::string lock;
  ScriptForm form;
  std::string schema{};  // statement that makes its tables; empty: none
};

// Throws BadInput if a plain server cannot repeat the schedule: nothing is violated, a kind of server without a script,
// several servers, statements that wait for row locks, a wrong clock of a client, times of the simulated clock in a
// request, commands that need one connection, or a request of which only a summary is known.
std::string schedule_script(const ExploreFind&, const ScriptedLock&);

}  // namespace holdfast
