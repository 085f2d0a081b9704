#include "artifact/envelope.hpp"

#include "artifact/enumeration.hpp"

namespace holdfast {
namespace {

constexpr EnumWords<AtAmount> kAnswers({"holds", "violated", "undecided"});

}  // namespace

const char* to_text(AtAmount answer) {
  return kAnswers[answer];
}

bool from_text(const std::string& word, AtAmount& out) {
  return kAnswers.read(word, out);
}

const JsonForm<EnvelopePoint>& EnvelopePoint::form() {
  using Point = EnvelopePoint;
  static const JsonForm<Point> kForm{
      "point",
      "",
      {field("amount", &Point::amount, kAnyInteger, "0: without the fault"), field("answer", &Point::answer),
       field("held", &Point::held), field("violated", &Point::violated),
       field("trials", &Point::trials, {1, INT64_MAX}), field("violations", &Point::violations, {1, INT64_MAX}),
       field("reason", &Point::reason), field("measured", &Point::measured), field("folders", &Point::folders)}};
  return kForm;
}

const JsonForm<Envelope>& Envelope::form() {
  static const JsonForm<Envelope> kForm{
      "envelope",
      "",
      {field("lock", &Envelope::lock), field("fault", &Envelope::fault),
       field("key", &Envelope::key, "the fault's setting that is varied"),
       field("direction", &Envelope::direction, {-1, 1}), field("lease_ms", &Envelope::lease_ms, {1, INT64_MAX}),
       field("most", &Envelope::most, kAnyInteger), field("step", &Envelope::step, {1, INT64_MAX}),
       field("holds_at", &Envelope::bracket, &EnvelopeBracket::holds_at, kAnyInteger,
             "the largest amount below the first violation at which all trials held"),
       field("violated_at", &Envelope::bracket, &EnvelopeBracket::violated_at, kAnyInteger,
             "the smallest amount with a violation; null: none was seen"),
       field("undecided", &Envelope::bracket, &EnvelopeBracket::undecided, kAnyInteger, "not safe"),
       field("holds_beyond", &Envelope::bracket, &EnvelopeBracket::holds_beyond, kAnyInteger),
       field("points", &Envelope::points)}};
  return kForm;
}

const JsonForm<EnvelopeRun>& EnvelopeRun::form() {
  using Run = EnvelopeRun;
  static const JsonForm<Run> kForm{
      "run",
      "",
      {form_version<Run>("holdfast_envelope", 2), field("version", &Run::version),
       field("started_utc", &Run::started_utc), field("command", &Run::command), field("server", &Run::server),
       digits_field("seed", &Run::seed), field("repeat", &Run::repeat, {1, INT32_MAX}), field("seconds", &Run::seconds),
       field("interrupted", &Run::interrupted), field("exit_code", &Run::exit_code, {0, 255}),
       field("judged_by", &Run::judged_by), field("dangerous_moment", &Run::dangerous_moment),
       unless_default(
           field("notes", &Run::notes, "caveats from adapters' manifests, reported with every result; missing: none")),
       field("envelopes", &Run::envelopes)}};
  return kForm;
}

}  // namespace holdfast
