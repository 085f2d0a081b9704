#include "artifact/envelope.hpp"

#include <nlohmann/json.hpp>

#include "artifact/enumeration.hpp"
#include "artifact/visible.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::json;

Json amount_json(const std::optional<std::int64_t>& amount) {
  return amount ? Json(*amount) : Json();
}

Json point_json(const EnvelopePoint& p) {
  Json out{{"amount", p.amount},
           {"answer", to_text(p.answer)},
           {"held", p.held},
           {"violated", p.violated},
           {"trials", p.trials},
           {"violations", Json::object()},
           {"reason", valid_utf8(p.reason)},
           {"measured", valid_utf8(p.measured)},
           {"folders", Json::array()}};
  for (const auto& [what, count] : p.violations) out["violations"][valid_utf8(what)] = count;
  for (const auto& folder : p.folders) out["folders"].push_back(valid_utf8(folder));
  return out;
}

Json envelope_json(const Envelope& e) {
  Json out{{"lock", valid_utf8(e.lock)},
           {"fault", valid_utf8(e.fault)},
           {"key", valid_utf8(e.key)},
           {"direction", e.direction},
           {"lease_ms", e.lease_ms},
           {"most", e.most},
           {"step", e.step},
           {"holds_at", amount_json(e.bracket.holds_at)},
           {"violated_at", amount_json(e.bracket.violated_at)},
           {"undecided", e.bracket.undecided},
           {"holds_beyond", e.bracket.holds_beyond},
           {"points", Json::array()}};
  for (const auto& point : e.points) out["points"].push_back(point_json(point));
  return out;
}

}  // namespace

const char* to_text(AtAmount answer) {
  return EnumWords<AtAmount>({"holds", "violated", "undecided"})[answer];
}

Json to_json(const EnvelopeRun& run) {
  Json out{{"holdfast_envelope", 2},
           {"version", valid_utf8(run.version)},
           {"started_utc", valid_utf8(run.started_utc)},
           {"command", valid_utf8(run.command)},
           {"server", valid_utf8(run.server)},
           {"seed", std::to_string(run.seed)},
           {"repeat", run.repeat},
           {"seconds", run.seconds},
           {"interrupted", run.interrupted},
           {"exit_code", run.exit_code},
           {"judged_by", run.judged_by},
           {"dangerous_moment", valid_utf8(run.dangerous_moment)},
           {"envelopes", Json::array()}};
  for (const auto& note : run.notes) out["notes"].push_back(valid_utf8(note));
  for (const auto& envelope : run.envelopes) out["envelopes"].push_back(envelope_json(envelope));
  return out;
}

}  // namespace holdfast
