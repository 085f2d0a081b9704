// The clients' sessions, by what the clients say of them and by the lock's server.
#pragma once

#include <mutex>

#include "control/control_page.hpp"
#include "nemesis/capabilities/client_sessions.hpp"
#include "runner/trial_lab.hpp"

namespace holdfast {

class LabClientSessions : public ClientSessions {
 public:
  LabClientSessions(const ControlPage& page, TrialLab& lab, const Plan& plan) : page_(page), lab_(lab), plan_(plan) {}

  std::vector<std::uint64_t> of(std::uint32_t client) const override;
  void end(std::uint64_t session) override;
  bool alive(std::uint64_t session) override;
  std::int64_t replies_lost(std::uint32_t client) const override {
    return page_.clients.at(client).replies_lost.load();
  }

 private:
  const ControlPage& page_;
  TrialLab& lab_;
  const Plan& plan_;
  std::mutex mutex_;
};

}  // namespace holdfast
