// Names used by a client's thread: its process identity in the history, and the owner, id and value of each grant, as
// the load defines them. All are drawn from one seed, so a repeated plan has the same names.
#pragma once

#include <atomic>
#include <cstdint>
#include <random>
#include <string>

#include "artifact/load.hpp"
#include "lock/lock.hpp"

namespace holdfast {

class ClaimNames {
 public:
  // `identities`: number of identities of all the client's threads so far.
  ClaimNames(const Load& load, std::uint32_t client, std::uint32_t thread, std::atomic<std::uint32_t>& identities,
             std::mt19937_64& random);

  void new_identity();
  std::uint32_t identity() const { return identity_; }
  void new_owner();
  // `address`: the client's own.
  void name(Claim& claim, const std::string& address) const;

 private:
  std::string filled(const std::string& text) const;

  const Load& load_;
  const std::uint32_t client_;
  const std::uint32_t thread_;
  std::atomic<std::uint32_t>& identities_;
  std::mt19937_64& random_;
  std::uint32_t identity_ = 0;
  std::string uuid_;
  std::uint64_t owners_ = 0;  // drawn so far
};

}  // namespace holdfast
