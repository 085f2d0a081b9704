// Unacknowledged bytes of a node's connections, as the kernel reports them.
#include "lab/unsent_bytes.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr const char* kTable =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
    "   0: 0100007F:9C40 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0\n"
    "   1: 01014D0A:D2F0 02004D0A:18EB 01 0000002A:00000000 01:00000020 00000003     0        0 2 2 0 100 0 0 10 -1\n"
    "   2: 01014D0A:D2F2 02004D0A:18EB 04 00000010:00000000 01:00000020 00000003     0        0 0 2 0 100 0 0 10 -1\n"
    "   3: 01014D0A:D2F4 03004D0A:0CEA 01 00000005:00000000 00:00000000 00000000     0        0 3 1 0 100 0 0 10 -1\n";

TEST(UnsentBytes, AreThoseOfConnectionsToTheAddresses) {
  EXPECT_EQ(unsent_bytes_in(kTable, {kLockAddress}), 42 + 16) << "also of one that its program has closed";
  EXPECT_EQ(unsent_bytes_in(kTable, {kResourceAddress}), 5);
  EXPECT_EQ(unsent_bytes_in(kTable, {kLockAddress, kResourceAddress}), 63);
  EXPECT_EQ(unsent_bytes_in(kTable, {kReplicaAddress}), 0);
  EXPECT_EQ(unsent_bytes_in("", {kLockAddress}), 0);
  EXPECT_THROW(unsent_bytes_in(kTable, {"somewhere"}), HarnessError);
}

}  // namespace
}  // namespace holdfast
