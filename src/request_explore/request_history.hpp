// A hash of a schedule's history that is equal only if all continuations are equal: for each client its calls and its
// requests with replies and times; for the server the requests that may have changed something, in order and with
// times. Requests without changes may occur in any order between those.
//
// Values made by a client (owners, random tokens) differ between schedules, so each is identified by that client's
// first request containing it. Not covered: other values that a library keeps, and server state that a request changes
// although its reply indicates otherwise.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "explore/fingerprint.hpp"
#include "lock/lock.hpp"

namespace holdfast {

class RequestHistory {
 public:
  explicit RequestHistory(std::uint32_t clients) : clients_(clients) {}
  void clear();

  void asked(std::uint32_t client, Op op, std::int64_t now_us);
  void answered(std::uint32_t client, Op op, const Answer& answer, std::int64_t now_us);
  // Words of a request, as the protocol names them; `lost`: the client never sees the reply.
  struct Request {
    std::uint32_t client = 0;
    std::vector<std::string> words;
    std::string reply;
    bool changed = true;
    bool lost = false;
  };
  void executed(const Request& request, std::int64_t now_us);
  void struck(std::uint32_t client, int by, std::int64_t now_us);
  std::uint64_t print() const;

 private:
  struct Client {
    Fingerprint seen;
    std::uint64_t requests = 0;
  };
  std::string known(std::string text) const;

  std::vector<Client> clients_;
  Fingerprint changes_;
  std::map<std::string, std::string> values_;  // as first seen
};

}  // namespace holdfast
