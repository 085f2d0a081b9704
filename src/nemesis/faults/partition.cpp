// Cuts the client's node off: packets between it and the lock service (or the resource, or both) are dropped silently.
// `lose`: `both` directions, or only `replies` (the statement takes effect, but its answer does not arrive meanwhile).
// `percent` below 100 drops packets at random. Proved by a probe from that node, or for partial loss by the number of
// dropped packets.
//
// Packets are lost, but bytes are not: TCP retransmits them. So data sent during the cut arrives after it, even if the
// client has given up. The amount is reported. Only request_lost loses a request permanently.
#include <algorithm>
#include <functional>
#include <future>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>

#include "nemesis/client_capabilities.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kFew = 4;

struct Cut {
  std::string what;  // lock | resource | all
  std::string lose;  // both | replies
  std::int64_t percent = 100;
};

class Partition : public Fault {
 public:
  explicit Partition(Cut cut) : cut_(std::move(cut)) {}

  // Partial loss needs another kernel module.
  std::string unavailable(World& world) override { return world.use<ClientNetwork>().why_not(rules(world)); }

  void act(World& world, const Victims& victims) override {
    for (const auto client : victims) world.use<ClientNetwork>().filter(client, rules(world));
  }

  std::optional<std::string> acted(World& world, const Victims& victims) override {
    // The probe is always sent: with partial loss, its own packets may be the ones that are counted.
    const bool got_through = any(victims, [&](auto client) { return reaches(world, client) > 0; });
    if (cut_.percent == 100 && got_through) return std::nullopt;
    for (const auto client : victims) {
      if (world.use<ClientNetwork>().packets_dropped(client) == 0) return std::nullopt;
    }
    return "cut (" + cut_.lose + ", " + std::to_string(cut_.percent) + " % of the packets)";
  }

  // The rules exist as long as their counters do; a probe tells whether they are sufficient.
  Look look(World& world, const Victims& victims, bool slowly) override {
    for (const auto client : victims) {
      const std::int64_t dropped = world.use<ClientNetwork>().packets_dropped(client);
      std::int64_t& before = dropped_of_[client];
      if (dropped == 0 || dropped < before) return Look::over;
      before = dropped;
    }
    const bool probes = slowly && cut_.percent == 100;
    return probes && any(victims, [&](auto client) { return reaches(world, client) > 0; }) ? Look::over
                                                                                           : Look::in_force;
  }
  std::int64_t look_every_ms() const override { return kAskEvery_ms; }

  void heal(World& world, const Victims& victims) override {
    for (const auto client : victims) {
      dropped_ += world.use<ClientNetwork>().packets_dropped(client);
      // If only replies are lost, acknowledgements of received data are lost as well.
      if (cut_.lose == "both") unsent_ += world.use<ClientNetwork>().unsent_bytes(client, addresses(world));
      world.use<ClientNetwork>().filter(client, {});
    }
  }

  std::optional<std::string> healed(World& world, const Victims& victims) override {
    // One answer is enough for a client to count as healed: on a busy machine some probe of many is always too slow.
    Victims waiting;
    std::copy_if(victims.begin(), victims.end(), std::back_inserter(waiting),
                 [&](auto client) { return healed_.count(client) == 0; });
    for (const auto client : answered(world, waiting)) healed_.insert(client);
    if (healed_.size() < victims.size()) return std::nullopt;
    for (const auto client : victims) {
      if (world.use<ClientNetwork>().packets_dropped(client) > 0) return std::nullopt;
    }
    const std::string late = unsent_ == 0 ? "" : ", " + std::to_string(unsent_) + " bytes of the client retransmitted";
    return std::to_string(dropped_) + " packets dropped" + late;
  }

 private:
  DroppingRules rules(World& world) const {
    DroppingRules out;
    for (const auto& address : world.use<ClientNetwork>().addresses(cut_.what)) {
      out.drop_from(address, cut_.percent);
      if (cut_.lose == "both") out.drop_to(address, cut_.percent);
    }
    return out;
  }

  std::vector<std::string> addresses(const World& world) const {
    return world.use<ClientNetwork>().addresses(cut_.what);
  }

  // Number of addresses that answer.
  std::size_t reaches(const World& world, std::uint32_t client) const {
    const auto& network = world.use<ClientNetwork>();
    const auto addresses = network.addresses(cut_.what);
    const auto answers = [&](const auto& address) { return network.reaches(client, address); };
    return static_cast<std::size_t>(std::count_if(addresses.begin(), addresses.end(), answers));
  }

  Victims answered(const World& world, const Victims& victims) const {
    const std::size_t all = world.use<ClientNetwork>().addresses(cut_.what).size();
    return those(victims, [&](auto client) { return reaches(world, client) == all; });
  }

  static bool any(const Victims& victims, const std::function<bool(std::uint32_t)>& ask) {
    if (victims.size() <= kFew) return std::any_of(victims.begin(), victims.end(), ask);
    return !those(victims, ask).empty();
  }

  // Probes without answers take time, so all are sent concurrently.
  static Victims those(const Victims& victims, const std::function<bool(std::uint32_t)>& ask) {
    std::vector<std::future<bool>> answers;
    answers.reserve(victims.size());
    for (const auto client : victims) answers.push_back(std::async(std::launch::async, ask, client));
    Victims out;
    for (std::size_t n = 0; n < victims.size(); ++n) {
      if (answers[n].get()) out.push_back(victims[n]);
    }
    return out;
  }

  Cut cut_;
  std::map<std::uint32_t, std::int64_t> dropped_of_;  // at the last look
  std::set<std::uint32_t> healed_;
  std::int64_t dropped_ = 0;
  std::int64_t unsent_ = 0;  // at the time of healing
};

void refuse_lost_requests(ObjectReader& settings) {
  const JsonNode* lose = settings.node("lose");
  if (lose == nullptr || lose->text != "requests") return;
  lose->refuse(
      "'requests' would be late, not lost, because TCP resends them; remedy: use the fault request_lost for a request "
      "that never arrives, hold_request for one that arrives late, or \"lose\": \"both\"");
}

}  // namespace

extern const FaultType fault_partition;
const FaultType fault_partition{
    .about = "cuts the client's node off from the lock service, the resource or both (cut, lose, percent)",
    .cause = "partition",
    .settings =
        R"({"properties": {"cut": {"enum": ["lock", "resource", "all"], "description": "the service to cut off"},
      "lose": {"enum": ["both", "replies"],
      "description": "direction in which packets are lost; TCP resends them afterwards"},
      "percent": {"type": "integer", "minimum": 1, "maximum": 100,
      "description": "share of the packets"}}, "required": []})",
    .needs = {Capability::client_network},
    .make =
        [](ObjectReader& settings) {
          Cut cut;
          cut.what = settings.choice("cut", {"lock", "resource", "all"}).value_or("lock");
          refuse_lost_requests(settings);
          cut.lose = settings.choice("lose", {"both", "replies"}).value_or("both");
          cut.percent = settings.integer("percent", 1, 100).value_or(100);
          return std::unique_ptr<Fault>(new Partition(cut));
        },
};

}  // namespace holdfast
