// The parts of a fake world that are about its clients.
#pragma once

#include <csignal>
#include <utility>

#include "nemesis/client_capabilities.hpp"
#include "nemesis/server_capabilities.hpp"
#include "tests/nemesis/fake_state.hpp"

namespace holdfast {

// A part of a fake world, which does with orders what that says.
template <class Interface>
class FakePart : public Interface {
 public:
  explicit FakePart(FakeState& all) : all_(all) {}

 protected:
  FakeState& all_;
};

class FakeClientProcesses : public FakePart<ClientProcesses> {
 public:
  using FakePart::FakePart;
  bool signal(std::uint32_t client, int number) override {
    return all_.tell(number == SIGSTOP ? "stop" : "go on", client, [&] {
      ProcessState& state = all_.states[client];
      if (state != ProcessState::gone) state = number == SIGSTOP ? ProcessState::stopped : ProcessState::running;
    });
  }
  ProcessState state(std::uint32_t client) const override { return all_.state(client); }
  std::optional<std::int64_t> stopped_at_ns(std::uint32_t client) const override {
    return state(client) == ProcessState::stopped ? std::optional(all_.client_ran_ns.load()) : std::nullopt;
  }
  void kill(std::uint32_t client) override {
    all_.tell("kill", client, [&] { all_.states[client] = ProcessState::gone; });
  }
};

class FakeSpareClients : public FakePart<SpareClients> {
 public:
  using FakePart::FakePart;
  std::optional<std::uint32_t> prepare(std::uint32_t client) override {
    if (!all_.tell("prepare", client, [] {})) return std::nullopt;
    return all_.clients_there++;
  }
  void begin(std::uint32_t spare) override {
    all_.tell("begin", spare, [&] { begun_[spare] = true; });
  }
  bool ready(std::uint32_t spare) const override { return spare < all_.clients_there; }
  bool working(std::uint32_t spare) const override { return all_.look(begun_, spare); }
  bool asked(std::uint32_t spare) const override { return working(spare) && all_.replacements_ask; }

 private:
  std::map<std::uint32_t, bool> begun_;
};

class FakeSpareHosts : public FakePart<SpareHosts> {
 public:
  using FakePart::FakePart;
  std::optional<std::uint32_t> give_address_away(std::uint32_t client) override {
    const auto give = [&] { all_.homes[all_.clients_there] = std::exchange(all_.homes[client], "none"); };
    if (!all_.tell("give address", client, give)) return {};
    return all_.clients_there++;
  }
  void bring_back(std::uint32_t client) override {
    all_.tell("bring back", client, [&] { all_.homes[client] = all_.comes_back_as; });
  }
  std::string address_seen(std::uint32_t client) const override {
    const std::string home = all_.look(all_.homes, client);
    return home == "none" ? "" : home.empty() ? "10.0.0.9" : home;
  }
  std::string own_address(std::uint32_t client) const override { return address_seen(client); }
};

class FakeClientNetwork : public FakePart<ClientNetwork> {
 public:
  using FakePart::FakePart;
  void filter(std::uint32_t client, const DroppingRules& rules) override {
    all_.tell(rules.empty() ? "let through" : "cut", client,
              [&] { rules_[client] = rules.empty() ? "" : rules.text(); });
  }
  std::int64_t packets_dropped(std::uint32_t client) const override {
    return all_.look(rules_, client).empty() ? 0 : 3;
  }
  std::int64_t unsent_bytes(std::uint32_t client, const std::vector<std::string>&) const override {
    return all_.look(rules_, client).empty() ? 0 : 42;
  }
  bool reaches(std::uint32_t client, const std::string& address) const override {
    return all_.look(rules_, client).find(address) == std::string::npos;
  }
  std::vector<std::string> addresses(const std::string&) const override { return {"10.0.0.1"}; }

 private:
  std::map<std::uint32_t, std::string> rules_;
};

class FakeClientDelay : public FakePart<ClientDelay> {
 public:
  using FakePart::FakePart;
  bool delay(std::uint32_t client, std::int64_t ms) override {
    return all_.tell("delay " + std::to_string(ms), client, [&] { delays_[client] = ms; });
  }
  std::int64_t round_trip_ns(std::uint32_t client) const override {
    return all_.look(delays_, client) * 1'000'000 + 1000;
  }

 private:
  std::map<std::uint32_t, std::int64_t> delays_;
};

class FakeClientClocks : public FakePart<ClientClocks> {
 public:
  using FakePart::FakePart;
  void set_offset(std::uint32_t client, std::int64_t ns) override {
    all_.tell("clock " + std::to_string(ns), client, [&] { offsets_[client] = ns; });
  }
  std::optional<std::int64_t> offset_seen_ns(std::uint32_t client) const override {
    return all_.look(offsets_, client);
  }

 private:
  std::map<std::uint32_t, std::int64_t> offsets_;
};

class FakeClientDrift : public FakePart<ClientDrift> {
 public:
  using FakePart::FakePart;
  void set_drift(std::uint32_t client, std::int64_t parts) override {
    all_.tell("drift " + std::to_string(parts), client, [&] { drifts_[client] = parts; });
  }
  std::optional<std::int64_t> drift_seen_ns(std::uint32_t client) const override {
    return all_.look(drifts_, client) * 1'000'000;
  }

 private:
  std::map<std::uint32_t, std::int64_t> drifts_;
};

class FakeClientSessions : public FakePart<ClientSessions> {
 public:
  using FakePart::FakePart;
  std::vector<std::uint64_t> of(std::uint32_t client) const override {
    return all_.has_session ? std::vector<std::uint64_t>{100 + client} : std::vector<std::uint64_t>{};
  }
  void end(std::uint64_t session) override {
    all_.tell("end connection", static_cast<std::uint32_t>(session - 100), [&] { ended_.insert(session); });
  }
  bool alive(std::uint64_t session) override {
    const std::lock_guard guard(all_.mutex_);
    return ended_.count(session) == 0;
  }
  std::int64_t replies_lost(std::uint32_t client) const override { return all_.look(all_.lost, client); }

 private:
  std::set<std::uint64_t> ended_;
};

class FakeClientRequests : public FakePart<ClientRequests> {
 public:
  using FakePart::FakePart;
  std::int64_t replies_lost(std::uint32_t client) const override { return all_.look(all_.lost, client); }
};

class FakeClientRelay : public FakePart<ClientRelay> {
 public:
  using FakePart::FakePart;
  bool keeps(std::uint32_t client) const override { return all_.look(all_.kept, client) > 0; }
  void send_kept(std::uint32_t client) override {
    all_.tell("send", client, [&] {
      all_.kept[client] = 0;
      ++all_.sent[client];
    });
  }
  std::string evidence(std::uint32_t client, PointAction action) const override {
    return all_.look(requests(action), client) > 0 ? "done" : "";
  }
  bool gives_up_copy(std::uint32_t client) override {
    all_.tell("give up", client, [] {});
    return true;
  }

 private:
  const std::map<std::uint32_t, std::int64_t>& requests(PointAction action) const {
    if (action == PointAction::duplicate) return all_.doubled;
    return action == PointAction::lose_request ? all_.thrown_away : all_.sent;
  }
};

class FakeClientThreads : public FakePart<ClientThreads> {
 public:
  using FakePart::FakePart;
  void block(std::uint32_t client, std::int64_t ms) override {
    all_.tell("block " + std::to_string(ms), client, [&] { stands_[client] = true; });
  }
  void unblock(std::uint32_t client) override {
    all_.tell("unblock", client, [&] { stands_[client] = false; });
  }
  BlockedThreadState blocked_thread(std::uint32_t client) const override {
    return {all_.look(stands_, client), all_.others_went_on_ns.load()};
  }

 private:
  std::map<std::uint32_t, bool> stands_;
};

class FakeStatementGate : public FakePart<StatementGate> {
 public:
  using FakePart::FakePart;
  void gate(std::uint32_t client, bool on) override {
    all_.tell(on ? "gate" : "let go", client, [&] { gate_[client].on = gate_[client].stands = on; });
  }
  void give_turn(std::uint32_t client, PointAction how) override {
    all_.tell(how == PointAction::lose_reply ? "turn and loss" : "turn", client, [&] {
      ++gate_[client].begun;
      if (client != all_.waits_in_statement) ++gate_[client].answered;
      if (how == PointAction::lose_reply) ++all_.lost[client];
    });
  }
  GatedClient gated(std::uint32_t client) const override { return all_.look(gate_, client); }

 private:
  std::map<std::uint32_t, GatedClient> gate_;
};

}  // namespace holdfast
