// The relay of a trial (relay/relay.hpp). Clients' requests pass through it only if the plan has a fault at a request.
// The relay has one client per node; the control page tells which client of the trial that is, and its current
// operation.
//
//   RequestRelay relay(page, lab, plan);
//   relay.client_starts(client, node);                    // before its process starts
//   relay.arm(at, point); relay.reached(point, 20);       // as for injection points in a client's work
//   relay.release(point, PointAction::lose_reply);
//
// Throws HarnessError; Unavailable if the node's connections cannot be redirected. `point` numbers are the trial's, as
// in ControlPage::armed_points.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "artifact/facts.hpp"
#include "artifact/plan.hpp"
#include "control/control_page.hpp"
#include "nemesis/world.hpp"
#include "relay/relay.hpp"
#include "runner/trial_lab.hpp"

namespace holdfast {

class RequestRelay {
 public:
  RequestRelay(ControlPage& page, TrialLab& lab, const Plan& plan);

  bool there() const { return relay_ != nullptr; }
  void client_starts(std::uint32_t client, std::uint32_t node);

  void arm(const InjectionPoint& at, std::size_t point);
  bool disarm(std::size_t point);                                           // returns false if its request has come
  std::optional<std::uint32_t> reached(std::size_t point, int timeout_ms);  // the client
  bool lost(std::size_t point) const;        // its request came but can no longer be reached
  Absence absence(std::size_t point) const;  // details of a point that was not reached
  void release(std::size_t point, PointAction how);

  // The first requests of operations. A client that replaced a killed one is the one on its node now.
  std::vector<SentRequest> sent() const;

  // Actions performed at the client's requests so far.
  std::int64_t count(std::uint32_t client, PointAction action) const;
  std::string evidence(std::uint32_t client, PointAction action) const;  // of the last one; empty: not done yet
  bool keeps(std::uint32_t client) const;                                // a request is held
  void send_kept(std::uint32_t client);
  bool gives_up(std::uint32_t client,
                PointAction action);  // abandons an action that waits for a reply; returns false if it was done

 private:
  struct PointState {
    RequestPointId id = kNoRequestPoint;
    std::int64_t relayed = kAnyClient;    // client of the request
    std::optional<std::uint32_t> client;  // that reached it
    PointAction action = PointAction::go_on;
    bool released = false;
    bool given_up = false;
    bool executed = false;  // an acquire: the server has it, or an earlier request of it
  };
  void take_news(int timeout_ms);
  std::uint64_t shown_by(RelayClient relayed) const;
  std::optional<std::uint32_t> client_on(RelayClient relayed) const;
  std::string why_unread(std::int64_t relayed) const;

  ControlPage& page_;
  TrialLab& lab_;
  std::string protocol_;
  std::uint16_t port_ = 0;  // of the lock's servers
  std::int64_t lease_ns_ = 0;
  mutable std::mutex nodes_;                      // never held while calling the relay, whose thread locks it
  std::map<std::uint32_t, RelayClient> relayed_;  // by node
  std::map<RelayClient, std::uint32_t> clients_;  // the trial's client on that node now
  mutable std::mutex mutex_;
  std::map<std::size_t, PointState> stops_;  // by number of the point
  std::unique_ptr<Relay> relay_;             // null: no fault strikes a request
};

}  // namespace holdfast
