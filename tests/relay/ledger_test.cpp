// To which operation of its client a request belongs, where several threads of the client are in one.
#include "relay/ledger.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace holdfast {
namespace {

class OfThreads : public testing::Test {
 protected:
  OfThreads() : client_(ledger_.add_client()) {}

  // A request that comes while the client shows this: its operation, and its number there.
  std::pair<RelayOperation, std::uint64_t> request(std::uint64_t shown) {
    shown_ = shown;
    RequestRecord record;
    record.client = client_;
    const auto ruling = ledger_.came(record);
    return {ruling.request.of, ruling.request.number};
  }
  static constexpr std::uint64_t acquire(std::uint64_t serial) {
    return shown_operation(serial, RelayOperation::acquire);
  }
  static constexpr std::uint64_t ended(std::uint64_t serial) { return shown_operation(serial, RelayOperation::none); }

  std::uint64_t shown_ = 0;
  Ledger ledger_{{}, 100, [this](RelayClient) { return shown_; }};
  RelayClient client_;
};

using Seen = std::pair<RelayOperation, std::uint64_t>;

TEST_F(OfThreads, RequestsAreCountedOnAfterAnothersOperation) {
  EXPECT_EQ(request(acquire(1)), Seen(RelayOperation::acquire, 1));
  EXPECT_EQ(request(acquire(1)), Seen(RelayOperation::acquire, 2));
  EXPECT_EQ(request(acquire(2)), Seen(RelayOperation::acquire, 1)) << "another thread's";
  EXPECT_EQ(request(acquire(1)), Seen(RelayOperation::acquire, 3)) << "it has ended: the first goes on";
  EXPECT_EQ(request(ended(2)), Seen(RelayOperation::none, 1)) << "both have";
  EXPECT_EQ(request(acquire(3)), Seen(RelayOperation::acquire, 1));
}

}  // namespace
}  // namespace holdfast
