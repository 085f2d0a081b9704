// What happened in a schedule so far, as a number that is equal only where everything that can follow is the same: for
// each client its calls, its requests with their replies, and when; for the server the requests that may have changed
// something, in their order, and when. Requests that changed nothing may have come in any order between those.
//
// Values that a client makes up (owners, random tokens) differ from one schedule to the next, so each is known by the
// request of that client in which it came first. What a library keeps of other values of its own, and state at the
// server that a request changes although its reply says otherwise, is not seen.
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
  // Words of a request, as the protocol tells them; `lost`: the client never sees the reply.
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
  std::map<std::string, std::string> values_;  // as they were seen first
};

}  // namespace holdfast
