// Capabilities for faults of clients (nemesis/client_capabilities.hpp) in a running trial.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "control/control_page.hpp"
#include "lab/unsent_bytes.hpp"
#include "lab/vdso_clock.hpp"
#include "nemesis/client_capabilities.hpp"
#include "runner/client_roster.hpp"
#include "runner/lab_trial_capabilities.hpp"
#include "runner/request_relay.hpp"
#include "runner/trial_lab.hpp"

namespace holdfast {

// The wall clocks of clients. A lock in C++ reads its session's clock, which is set and shown through the control page.
// A lock in a separate program has its wall clock in the vDSO (lab/vdso_clock.hpp), installed when the clock is first
// changed; its pages are read back, and if the program reports its wall clock with each pulse, the report must agree.
class LabClientClocks : public ClientClocks {
 public:
  LabClientClocks(ControlPage& page, bool of_programs, bool elsewhere)
      : page_(page), of_programs_(of_programs), elsewhere_(elsewhere) {}

  std::string unavailable() override {
    if (elsewhere_) return "the lock's program runs on another host (--hosts), whose clock holdfast does not set";
    return of_programs_ ? why_no_vdso_clock() : "";
  }
  void set_offset(std::uint32_t client, std::int64_t ns) override;
  std::optional<std::int64_t> offset_seen_ns(std::uint32_t client) const override;

 private:
  void set_program_offset(std::uint32_t client, pid_t group, std::int64_t ns);
  std::optional<std::int64_t> program_offset_ns(std::uint32_t client) const;

  ControlPage& page_;
  const bool of_programs_;
  const bool elsewhere_;
  mutable std::mutex mutex_;
  std::map<std::uint32_t, VdsoClock> clocks_;  // by client
};

// Delays on a client's node, by the kernel's netem.
class LabClientDelay : public ClientDelay {
 public:
  LabClientDelay(ClientRoster& roster, TrialLab& lab) : roster_(roster), lab_(lab) {}

  bool delay(std::uint32_t client, std::int64_t ms) override { return lab_.network().delay(roster_.node(client), ms); }
  std::int64_t round_trip_ns(std::uint32_t client) const override {
    return probe(roster_.node(client), kLockAddress, lab_.lock_server().readiness(), 10 * kProbe_ms);
  }

 private:
  ClientRoster& roster_;
  TrialLab& lab_;
};

// The rate of the clients' clocks, set and shown through the control page.
class LabClientDrift : public ClientDrift {
 public:
  explicit LabClientDrift(ControlPage& page) : page_(page) {}

  void set_drift(std::uint32_t client, std::int64_t parts_per_million) override;
  std::optional<std::int64_t> drift_seen_ns(std::uint32_t client) const override;

 private:
  ControlPage& page_;
};

// The network of a client's node: rules that drop packets, and probes.
class LabClientNetwork : public ClientNetwork {
 public:
  LabClientNetwork(ClientRoster& roster, TrialLab& lab, const Plan& plan) : roster_(roster), lab_(lab), plan_(plan) {}

  void filter(std::uint32_t client, const DroppingRules& rules) override {
    lab_.network().filter(roster_.node(client), rules);
  }
  std::int64_t packets_dropped(std::uint32_t client) const override {
    return lab_.network().dropped(roster_.node(client));
  }
  std::int64_t unsent_bytes(std::uint32_t client, const std::vector<std::string>& to) const override {
    return holdfast::unsent_bytes(roster_.node(client), to);
  }
  bool reaches(std::uint32_t client, const std::string& address) const override;
  std::vector<std::string> addresses(const std::string& cut) const override;

 private:
  ClientRoster& roster_;
  TrialLab& lab_;
  const Plan& plan_;
};

// The clients' processes, held by the roster.
class LabClientProcesses : public ClientProcesses {
 public:
  explicit LabClientProcesses(ClientRoster& roster) : roster_(roster) {}

  bool signal(std::uint32_t client, int number) override { return roster_.signal(client, number); }
  ProcessState state(std::uint32_t client) const override { return process_state(roster_.state(client)); }
  std::optional<std::int64_t> stopped_at_ns(std::uint32_t client) const override {
    return roster_.stopped_at_ns(client);
  }
  void kill(std::uint32_t client) override { roster_.kill(client); }

 private:
  ClientRoster& roster_;
};

// The clients' sessions, from the clients' readings and the lock's server.
class LabClientSessions : public ClientSessions {
 public:
  LabClientSessions(const ControlPage& page, TrialLab& lab, const Plan& plan) : page_(page), lab_(lab), plan_(plan) {}

  std::string unavailable() override { return lab_.lock_server().cannot_end_connections(); }
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

// Actions on statements, shown by the control page, and on requests, shown by the relay.
class LabClientRequests : public ClientRequests {
 public:
  LabClientRequests(const ControlPage& page, RequestRelay& relay) : page_(page), relay_(relay) {}

  std::int64_t replies_lost(std::uint32_t client) const override {
    return page_.clients.at(client).replies_lost.load() + relay_.count(client, PointAction::lose_reply);
  }

 private:
  const ControlPage& page_;
  RequestRelay& relay_;
};

class LabClientRelay : public ClientRelay {
 public:
  explicit LabClientRelay(RequestRelay& relay) : relay_(relay) {}

  bool keeps(std::uint32_t client) const override { return relay_.keeps(client); }
  void send_kept(std::uint32_t client) override { relay_.send_kept(client); }
  std::string evidence(std::uint32_t client, PointAction action) const override {
    return relay_.evidence(client, action);
  }
  bool gives_up_copy(std::uint32_t client) override { return relay_.gives_up(client, PointAction::duplicate); }

 private:
  RequestRelay& relay_;
};

// A client's blocked thread, ordered and shown through the control page.
class LabClientThreads : public ClientThreads {
 public:
  explicit LabClientThreads(ControlPage& page) : page_(page) {}

  void block(std::uint32_t client, std::int64_t ms) override { page_.clients.at(client).blocked.ms.store(ms); }
  void unblock(std::uint32_t client) override { page_.clients.at(client).blocked.ms.store(0); }
  BlockedThreadState blocked_thread(std::uint32_t client) const override;

 private:
  ControlPage& page_;
};

// The plan's spare clients, which wait for faults.
class LabSpareClients : public SpareClients {
 public:
  explicit LabSpareClients(ClientRoster& roster) : roster_(roster) {}

  std::optional<std::uint32_t> prepare(std::uint32_t client) override {
    return roster_.start_spare(roster_.node_number(client), SpareStart::waits);
  }
  void begin(std::uint32_t spare) override { roster_.let_begin(spare); }
  bool ready(std::uint32_t spare) const override { return roster_.ready(spare); }
  bool working(std::uint32_t spare) const override { return roster_.working(spare); }
  bool asked(std::uint32_t spare) const override { return roster_.asked(spare); }

 private:
  ClientRoster& roster_;
};

}  // namespace holdfast
