// A statement is executed but its reply is lost, with the connection: the client cannot know whether it took effect.
// Its injection point is a statement or a request, `"when": "after"`. Proved by the client's session, or by the relay,
// which count the dropped replies.
#include "nemesis/client_capabilities.hpp"
#include "nemesis/fault.hpp"

namespace holdfast {
namespace {

class ReplyLost : public Fault {
 public:
  void act(World& world, const Victims& victims) override {
    before_ = 0;
    for (const auto client : victims) before_ += world.use<ClientRequests>().replies_lost(client);
  }

  std::optional<std::string> acted(World& world, const Victims& victims) override {
    std::int64_t lost = 0;
    for (const auto client : victims) lost += world.use<ClientRequests>().replies_lost(client);
    if (lost <= before_) return std::nullopt;
    return "reply lost";
  }

  void heal(World&, const Victims&) override {}  // a single event: the client reconnects by itself
  std::optional<std::string> healed(World&, const Victims&) override { return "over"; }
  PointAction point_action() const override { return PointAction::lose_reply; }
  bool lasts() const override { return false; }

 private:
  std::int64_t before_ = 0;
};

}  // namespace

extern const FaultType fault_reply_lost;
const FaultType fault_reply_lost{
    .about =
        "lets the server execute a statement, then drops its reply and the connection (at: a statement or a request, "
        "when after)",
    .cause = "reply_lost",
    .example = R"({"at": {"statement": "acquire", "when": "after"}})",
    .needs = {Capability::client_requests},
    .make = [](ObjectReader&) { return std::unique_ptr<Fault>(new ReplyLost); },
};

}  // namespace holdfast
