// The comparison with real waits, against servers that are slow, silent, or show a wait.
#include "servers/real_waits.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace holdfast {
namespace {

using std::chrono::milliseconds;

// Answers after a while, or when it is interrupted. Shows a wait from the moment on that `shows` names.
struct Behaviour {
  milliseconds answers{0};
  milliseconds shows{1'000'000};
};

class FakeSession : public WaitingSession {
 public:
  explicit FakeSession(Behaviour behaviour) : behaviour_(behaviour) {}
  Reply run(const std::string& /*text*/, std::int64_t /*now_us*/) override {
    while (passed() < behaviour_.answers && !interrupted_) std::this_thread::sleep_for(milliseconds(1));
    return {};
  }
  bool waits() override { return passed() >= behaviour_.shows; }
  void interrupt() override { interrupted_ = true; }
  void end() override {}

 private:
  std::chrono::steady_clock::duration passed() const { return std::chrono::steady_clock::now() - begin_; }
  const Behaviour behaviour_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::atomic<bool> interrupted_{false};
};

class FakeServer : public WaitingServer {
 public:
  explicit FakeServer(Behaviour behaviour) : behaviour_(behaviour) {}
  std::unique_ptr<WaitingSession> open() override { return std::make_unique<FakeSession>(behaviour_); }
  bool is_deadlock(const Reply& /*reply*/) const override { return false; }

 private:
  const Behaviour behaviour_;
};

std::string of_a_wait(Behaviour behaviour) {
  auto command = std::make_shared<Command>();
  command->text = "SELECT";
  auto executed = std::make_shared<Executed>();
  executed->would_wait = true;
  StoreCall call;
  call.command = command;
  call.executed = executed;
  return RealWaits(std::make_unique<FakeServer>(behaviour), 1).differs({call});
}

TEST(RealWaitsOfAnyServer, SlowAnswerIsNotAWait) {
  EXPECT_NE(of_a_wait({milliseconds(300), milliseconds(1'000'000)}).find("is answered"), std::string::npos);
}

TEST(RealWaitsOfAnyServer, WaitIsSeenDespiteALateStatement) {
  EXPECT_EQ(of_a_wait({milliseconds(600'000), milliseconds(300)}), "");
}

TEST(RealWaitsOfAnyServer, SilentServerCountsAsWaiting) {
  EXPECT_EQ(of_a_wait({milliseconds(600'000), milliseconds(1'000'000)}), "");
}

}  // namespace
}  // namespace holdfast
