#include "artifact/curve.hpp"

#include "artifact/enumeration.hpp"

namespace holdfast {
namespace {

constexpr EnumWords<CurvePart> kParts({"no_fault", "acquire", "hold", "renew", "release"});

}  // namespace

const char* to_text(CurvePart part) {
  return kParts[part];
}

bool from_text(const std::string& word, CurvePart& out) {
  return kParts.read(word, out);
}

const JsonForm<CurvePoint>& CurvePoint::form() {
  using Point = CurvePoint;
  static const JsonForm<Point> kForm{
      "point",
      "",
      {field("part", &Point::part),
       field("scenario", &Point::scenario, "name of its cell, LOCK/SCENARIO"),
       field("moment", &Point::moment),
       field("tick", &Point::tick, "label of the axis"),
       field("elapsed_ms", &Point::elapsed_ms, "planned time from the grant to the fault; null: unknown"),
       field("planned", &Point::planned, {1, INT64_MAX}),
       field("trials", &Point::trials, "finished trials"),
       field("acted", &Point::acted, "trials in which the fault struck a client that was granted the lock"),
       field("counted", &Point::counted, "of these, the judged ones; 0: not measured"),
       field("violated", &Point::violated, "number of the counted trials"),
       field("lapsed", &Point::lapsed,
             "number of the counted trials: two holders at once, but the fenced data is safe; not a violation"),
       field("undecided", &Point::undecided),
       field("errors", &Point::errors),
       field("unavailable", &Point::unavailable),
       field("low", &Point::low, "95 % interval of the share of violations (Wilson); null: not measured"),
       field("high", &Point::high),
       field("violations", &Point::violations, {1, INT64_MAX}),
       field("seen", &Point::seen, "the first violation"),
       field("reason", &Point::reason, "why the first trial that does not count does not"),
       field("violating_trial", &Point::violating_trial, "0: none"),
       field("replay", &Point::replay, "command that repeats it; empty: none")}};
  return kForm;
}

const JsonForm<CurveLeftOut>& CurveLeftOut::form() {
  static const JsonForm<CurveLeftOut> kForm{
      "left_out", "", {field("moment", &CurveLeftOut::moment), field("why", &CurveLeftOut::why)}};
  return kForm;
}

const JsonForm<CurveRun>& CurveRun::form() {
  using Run = CurveRun;
  static const JsonForm<Run> kForm{
      "run",
      "",
      {form_version<Run>("holdfast_curve", 1), field("version", &Run::version), field("started_utc", &Run::started_utc),
       field("command", &Run::command), field("server", &Run::server), digits_field("seed", &Run::seed),
       field("plans", &Run::plans, {1, INT32_MAX}), field("seconds", &Run::seconds),
       field("interrupted", &Run::interrupted), field("exit_code", &Run::exit_code, {0, 255}),
       field("lock", &Run::lock), field("fault", &Run::fault),
       field("for_ms", &Run::for_ms, "duration of the fault; 0: it ends by itself"),
       field("lease_ms", &Run::lease_ms, {1, INT64_MAX}, "null: the lock has no lease"),
       field("fenced", &Run::fenced, "its grants carry tokens that the data checks"),
       field("judged_by", &Run::judged_by),
       unless_default(
           field("notes", &Run::notes, "caveats from adapters' manifests, reported with every result; missing: none")),
       field("points", &Run::points, "in the order of a lock's life"), field("left_out", &Run::left_out)}};
  return kForm;
}

}  // namespace holdfast
