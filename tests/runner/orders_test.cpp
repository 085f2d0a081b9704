// How a client goes on from a point: in its own process, and at the relay, which can do more.
#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "runner/lab_trial_capabilities.hpp"

namespace holdfast {
namespace {

TEST(Orders, AProcessCanLoseAReplyOnly) {
  EXPECT_EQ(order_of(Release::go_on), Order::go_on);
  EXPECT_EQ(order_of(Release::lose_reply), Order::lose_reply);
  EXPECT_THROW(order_of(Release::hold_request), HarnessError);
  EXPECT_THROW(order_of(Release::duplicate), HarnessError);
  EXPECT_THROW(order_of(Release::lose_request), HarnessError);
}

TEST(Orders, TheRelayCanDoThemAll) {
  EXPECT_EQ(deed_of(Release::go_on), Deed::pass);
  EXPECT_EQ(deed_of(Release::lose_reply), Deed::lose_reply);
  EXPECT_EQ(deed_of(Release::hold_request), Deed::hold_request);
  EXPECT_EQ(deed_of(Release::duplicate), Deed::duplicate);
  EXPECT_EQ(deed_of(Release::lose_request), Deed::lose_request);
}

}  // namespace
}  // namespace holdfast
