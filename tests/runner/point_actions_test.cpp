// Actions at an injection point in the client's own process; the relay can do more.
#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "runner/lab_trial_capabilities.hpp"

namespace holdfast {
namespace {

TEST(PointActions, AProcessCanLoseOnlyAReply) {
  EXPECT_EQ(in_process(PointAction::go_on), PointAction::go_on);
  EXPECT_EQ(in_process(PointAction::lose_reply), PointAction::lose_reply);
  EXPECT_THROW(in_process(PointAction::hold_request), HarnessError);
  EXPECT_THROW(in_process(PointAction::duplicate), HarnessError);
  EXPECT_THROW(in_process(PointAction::lose_request), HarnessError);
}

}  // namespace
}  // namespace holdfast
