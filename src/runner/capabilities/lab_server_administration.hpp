// What the lock's servers keep, asked of themselves.
#pragma once

#include <atomic>

#include "nemesis/capabilities/server_administration.hpp"
#include "runner/trial_lab.hpp"

namespace holdfast {

class LabServerAdministration : public ServerAdministration {
 public:
  explicit LabServerAdministration(TrialLab& lab) : lab_(lab) {}

  Durability durability(std::uint32_t server) const override { return lab_.lock_server(server).durability(); }
  void leave_canary(std::uint32_t server) override { lab_.lock_server(server).leave_canary(++marks_); }
  std::optional<bool> canary_kept(std::uint32_t server) const override {
    return lab_.lock_server(server).canary_kept(marks_);
  }
  std::int64_t last_mark() const { return marks_; }

 private:
  TrialLab& lab_;
  std::atomic<std::int64_t> marks_{0};
};

}  // namespace holdfast
