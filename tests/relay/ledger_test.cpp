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

TEST_F(OfThreads, CountContinuesAfterAnotherThreadsOperation) {
  EXPECT_EQ(request(acquire(1)), Seen(RelayOperation::acquire, 1));
  EXPECT_EQ(request(acquire(1)), Seen(RelayOperation::acquire, 2));
  EXPECT_EQ(request(acquire(2)), Seen(RelayOperation::acquire, 1)) << "another thread's";
  EXPECT_EQ(request(acquire(1)), Seen(RelayOperation::acquire, 3)) << "it has ended: the first goes on";
  EXPECT_EQ(request(ended(2)), Seen(RelayOperation::none, 1)) << "both have";
  EXPECT_EQ(request(acquire(3)), Seen(RelayOperation::acquire, 1));
}

RequestRecord request_of(RelayClient client) {
  RequestRecord out;
  out.client = client;
  return out;
}

TEST(Ledger, StopsAllRequestsWithoutBeingArmed) {
  Ledger ledger{{}, 0};
  const RelayClient client = ledger.add_client();
  EXPECT_FALSE(ledger.came(request_of(client)).before);
  ledger.stop_all(true, "");
  const auto first = ledger.came(request_of(client));
  const auto second = ledger.came(request_of(client));
  ASSERT_TRUE(first.before && second.before);
  EXPECT_NE(*first.before, *second.before);
  EXPECT_EQ(second.request.serial, first.request.serial + 1);
  ledger.stop_all(false, "");
  EXPECT_FALSE(ledger.came(request_of(client)).before);
}

TEST(Ledger, StopsForOneLockLetOthersPass) {
  Ledger ledger{{"orders-"}, 0};
  const RelayClient client = ledger.add_client();
  ledger.stop_all(true, "orders-7");
  const auto stops = [&](const char* bytes) {
    RequestRecord request = request_of(client);
    request.names_another = ledger.lock_named(bytes).has_value() && !ledger.is_stopped_lock(bytes);
    return ledger.came(request).before.has_value();
  };
  EXPECT_TRUE(stops("GET orders-7"));
  EXPECT_TRUE(stops("MGET orders-6 orders-7"));
  EXPECT_TRUE(stops("COMMIT")) << "it may end anything";
  EXPECT_FALSE(stops("GET orders-6"));
  EXPECT_EQ(ledger.of_other_locks(), 1U);
}

TEST(Ledger, ForgetsFinishedStops) {
  Ledger ledger{{}, 0};
  const RelayClient client = ledger.add_client();
  ledger.stop_all(true, "");
  const RequestPointId first = *ledger.came(request_of(client)).before;
  const auto second = ledger.came(request_of(client));
  ledger.forget_before(*second.before);
  ledger.too_late(first);  // a connection that ends later may still name it
  ledger.reached({*second.before, When::before, second.request, 0, 0, false});
  EXPECT_TRUE(ledger.outcome(*second.before).reached);
  EXPECT_EQ(*ledger.came(request_of(client)).before, *second.before + 1);
}

TEST(Ledger, ReportsBytesByRequestSerial) {
  std::uint64_t heard = 0;
  const Ledger deaf{{}, 0};
  const Ledger hears{{}, 0, nullptr, [&](const HeardBytes& bytes) { heard = bytes.serial; }};
  EXPECT_FALSE(deaf.hears());
  deaf.hear({7, false, "x"});
  hears.hear({8, false, "x"});
  EXPECT_EQ(heard, 8U);
}

}  // namespace
}  // namespace holdfast
