// Cuts the client's node off: packets between it and the lock service (or the resource, or both) vanish silently.
// `lose`: `both` ways; only the `replies` (the statement takes effect, the answer never comes); only the `requests`.
// `percent` below 100 loses packets at random. Proved by a probe of ours from the same node, or, where only some
// packets are lost, by the count of those that were.
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

struct Cut {
  std::string what;  // lock | resource | all
  std::string lose;  // both | replies | requests
  std::int64_t percent = 100;
};

class Partition : public Fault {
 public:
  explicit Partition(Cut cut) : cut_(std::move(cut)) {}

  void act(World& world, const Victims& victims) override {
    for (const auto client : victims) world.filter(client, rules(world));
  }

  std::optional<std::string> acted(World& world, const Victims& victims) override {
    for (const auto client : victims) {
      if (cut_.percent == 100 && reaches(world, client)) return std::nullopt;
      if (world.packets_dropped(client) == 0) return std::nullopt;
    }
    return "cut (" + cut_.lose + ", " + std::to_string(cut_.percent) + " % of the packets)";
  }

  void heal(World& world, const Victims& victims) override {
    for (const auto client : victims) {
      dropped_ += world.packets_dropped(client);
      world.filter(client, "");
    }
  }

  std::optional<std::string> healed(World& world, const Victims& victims) override {
    for (const auto client : victims) {
      if (!reaches(world, client) || world.packets_dropped(client) > 0) return std::nullopt;
    }
    return std::to_string(dropped_) + " packets dropped";
  }

 private:
  std::string rules(World& world) const {
    const std::string chance =
        cut_.percent < 100 ? "numgen random mod 100 < " + std::to_string(cut_.percent) + " " : "";
    std::string in;
    std::string out;
    for (const auto& address : world.addresses(cut_.what)) {
      if (cut_.lose != "requests") in += "    ip saddr " + address + " " + chance + "counter drop\n";
      if (cut_.lose != "replies") out += "    ip daddr " + address + " " + chance + "counter drop\n";
    }
    return "  chain in {\n    type filter hook input priority 0;\n" + in + "  }\n" +
           "  chain out {\n    type filter hook output priority 0;\n" + out + "  }\n";
  }

  bool reaches(World& world, std::uint32_t client) const {
    for (const auto& address : world.addresses(cut_.what)) {
      if (world.reaches(client, address)) return true;
    }
    return false;
  }

  Cut cut_;
  std::int64_t dropped_ = 0;
};

}  // namespace

extern const FaultType fault_partition;
const FaultType fault_partition{
    .about = "cuts the client's node off from the lock service, the resource or both (cut, lose, percent)",
    .cause = "partition",
    .settings = R"({"properties": {"cut": {"enum": ["lock", "resource", "all"], "description": "from which service"},
      "lose": {"enum": ["both", "replies", "requests"], "description": "which way packets vanish"},
      "percent": {"type": "integer", "minimum": 1, "maximum": 100,
      "description": "how many of them"}}, "required": []})",
    .make =
        [](ObjectReader& settings) {
          Cut cut;
          cut.what = settings.choice("cut", {"lock", "resource", "all"}).value_or("lock");
          cut.lose = settings.choice("lose", {"both", "replies", "requests"}).value_or("both");
          cut.percent = settings.integer("percent", 1, 100).value_or(100);
          return std::unique_ptr<Fault>(new Partition(cut));
        },
};

}  // namespace holdfast
