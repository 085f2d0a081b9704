// A driver with scripted answers, and a stage without time: records the loop's use of both.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/load_loop.hpp"

namespace holdfast {

class ScriptedDriver : public Driver {
 public:
  explicit ScriptedDriver(std::vector<std::string>& written) : written_(written) {}
  Answer start(const std::string&) override { return Answer::done(); }
  Answer acquire(Claim& claim) override { return next("acquire", claim); }
  std::optional<Answer> job(Claim& claim, std::int64_t) override {
    if (jobs-- > 0) return next("job", claim);
    if (stage_goes != nullptr) *stage_goes = false;  // the trial ends while it waits
    return std::nullopt;
  }
  Answer renew(Claim& claim) override { return next("renew", claim); }
  Answer release(Claim& claim) override { return next("release", claim); }
  Answer background(Claim& claim) override { return next("background", claim); }
  bool still_held(const Claim&) override { return holds; }
  void pulse() override { ++pulses; }
  bool said_lost(const Claim&, std::int64_t) override { return lost; }
  std::string why() const override { return ""; }

  std::map<std::string, std::deque<Answer>> answers;  // for each call in turn; then it says yes
  bool holds = true;
  bool lost = false;
  int pulses = 0;
  int jobs = 0;
  bool* stage_goes = nullptr;

 private:
  Answer next(const std::string& call, const Claim& claim) {
    written_.push_back(call + " " + claim.owner);
    auto& left = answers[call];
    if (left.empty()) return Answer::done();
    const Answer out = left.front();
    left.pop_front();
    return out;
  }
  std::vector<std::string>& written_;
};

class WrittenStage : public LoadStage {
 public:
  explicit WrittenStage(std::vector<std::string>& written) : written_(written) {}
  bool begin_round() override { return rounds-- > 0; }
  bool goes_on() const override { return going; }
  std::vector<std::uint32_t> draw_keys() override { return keys; }
  void new_owner() override { ++owner_; }
  Claim claim(std::uint32_t key) override {
    Claim out;
    out.key = std::to_string(key);
    out.owner = "o" + std::to_string(owner_);
    return out;
  }
  bool tries(int attempt, const std::vector<Grant>&) override { return attempt < attempts; }
  Answer operation(Op, Depth depth, Grant&, const std::function<Answer()>& work) override {
    if (depth == Depth::inner) written_.push_back("inner");
    return work();
  }
  void wait_to_retry() override { written_.push_back("waits"); }
  void retire() override {
    written_.push_back("retires");
    ++owner_;
  }
  void refused(const Grant&) override { written_.push_back("refused"); }
  void gave_up() override { written_.push_back("gives up"); }
  void granted(Grant& grant) override { written_.push_back("granted " + std::string(grant.claim.key)); }
  void begin_job(Grant& grant) override { written_.push_back("begins " + std::string(grant.claim.key)); }
  void begin_hold() override {}
  bool next_renewal(const AskLost& lost) override { return !lost(0) && renewals-- > 0; }
  bool look(const Grant&, const std::function<bool()>& still_held) override { return still_held(); }
  void end_job(Grant& grant, const std::function<void()>& runs) override {
    runs();
    written_.push_back("writes " + std::string(grant.claim.key));
  }
  bool next_tick(const std::function<bool()>&) override {
    if (lost_in_tick != nullptr) *lost_in_tick = true;
    return ticks-- > 0;
  }
  void before_release(Grant&) override {}
  void leave(const Grant&, Reason reason) override {
    written_.push_back(reason == Reason::none ? "leaves" : reason == Reason::deadline ? "too late" : "was told");
  }
  void let_go(const Grant& grant) override { written_.push_back("lets go " + std::string(grant.claim.key)); }
  void end_round(const std::vector<Grant>& held) override { written_.push_back("held " + std::to_string(held.size())); }

  int rounds = 1;
  int attempts = 3;
  int renewals = 0;
  int ticks = 0;
  bool* lost_in_tick = nullptr;
  bool going = true;
  std::vector<std::uint32_t> keys{0};

 private:
  std::vector<std::string>& written_;
  int owner_ = 0;
};

struct ScriptedLoad {
  std::vector<std::string> written;
  ScriptedDriver driver{written};
  WrittenStage stage{written};
  LoadRules rules;
  const std::vector<std::string>& run() {
    LoadLoop(rules, driver, stage).run();
    return written;
  }
};

}  // namespace holdfast
