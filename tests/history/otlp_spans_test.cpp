// Spans of OpenTelemetry, read as calls of a lock and their answers.
#include "history/otlp_spans.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "history/open_history.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

constexpr std::int64_t kDay_ns = 1'796'009'334'000'000'000;

std::string attribute(const std::string& key, const std::string& value) {
  return fmt::format(R"({{"key":"{}","value":{{"stringValue":"{}"}}}})", key, value);
}

// A span of NAME from one millisecond to another, of the lock "orders"; `more` attributes begin with a comma.
std::string span(const std::string& name, int from_ms, int to_ms, const std::string& more = "",
                 const std::string& rest = "") {
  const std::string times = fmt::format(R"("startTimeUnixNano":"{}","endTimeUnixNano":"{}")",
                                        kDay_ns + 1'000'000LL * from_ms, kDay_ns + 1'000'000LL * to_ms);
  return fmt::format(R"({{"spanId":"{}{}","name":"{}",{},"attributes":[{}{}]{}}})", name, from_ms, name, times,
                     attribute("lock.key", "orders"), more, rest);
}

std::string request(const std::string& holder, const std::string& spans) {
  const std::string resource = fmt::format(R"({{"attributes":[{}]}})", attribute("service.instance.id", holder));
  return fmt::format(R"({{"resourceSpans":[{{"resource":{},"scopeSpans":[{{"spans":[{}]}}]}}]}})", resource, spans);
}

// "a acquire ok" ... of all events.
std::vector<std::string> events_of(const std::vector<std::string>& lines, const OtlpMapping& mapping = {}) {
  OtlpSpans spans(mapping);
  std::uint64_t line = 0;
  for (const auto& text : lines) spans.read(text, ++line);
  std::vector<std::string> out;
  for (; spans.front() != nullptr; spans.advance()) {
    const LoggedEvent& logged = *spans.front();
    const Event& event = logged.event;
    std::string text(logged.line.process.text());
    text += std::string(" ") + to_text(event.op) + " " + to_text(event.type);
    if (event.reason != Reason::none) text += std::string(" ") + to_text(event.reason);
    if (event.token) text += " token " + std::to_string(*event.token);
    if (event.lease_ns) text += " lease " + std::to_string(*event.lease_ns);
    if (event.shared) text += " shared";
    if (event.background) text += " background";
    out.push_back(text);
  }
  return out;
}

using Texts = std::vector<std::string>;

TEST(OtlpSpans, CallsAndAnswersComeInOrderOfTime) {
  const Texts lines{request("a", span("lock.acquire", 0, 5) + "," + span("lock.release", 8, 9)),
                    request("b", span("handle", 0, 20) + "," + span("lock.acquire", 1, 10))};
  EXPECT_EQ(events_of(lines), (Texts{"a acquire invoke", "b acquire invoke", "a acquire ok", "a release invoke",
                                     "a release ok", "b acquire ok"}));
}

TEST(OtlpSpans, OutcomeIsThatOfTheAttributeThenOfTheStatus) {
  const std::string failed = R"(,"status":{"code":2})";
  const auto told = [&](const std::string& more, const std::string& rest) {
    return events_of({request("a", span("lock.acquire", 0, 1, more, rest))}).at(1);
  };
  EXPECT_EQ(told("", ""), "a acquire ok");
  EXPECT_EQ(told("", R"(,"status":{})"), "a acquire ok");
  EXPECT_EQ(told("", R"(,"status":{"code":1})"), "a acquire ok");
  EXPECT_EQ(told("", failed), "a acquire info");
  EXPECT_EQ(told("", R"(,"status":{"code":"STATUS_CODE_ERROR"})"), "a acquire info");
  EXPECT_EQ(told("," + attribute("lock.outcome", "busy"), failed), "a acquire fail busy");
  EXPECT_EQ(told("," + attribute("lock.outcome", "not_held"), failed), "a acquire fail not_held");
  EXPECT_EQ(told("," + attribute("lock.outcome", "fail"), ""), "a acquire fail other");
  EXPECT_EQ(told("," + attribute("lock.outcome", "info"), ""), "a acquire info");
}

TEST(OtlpSpans, TokenAndLeaseAreThoseOfAGrant) {
  const std::string numbers = R"(,{"key":"lock.token","value":{"intValue":"17"}},)"
                              R"({"key":"lock.lease_ms","value":{"intValue":2000}})";
  EXPECT_EQ(events_of({request("a", span("lock.acquire", 0, 1, numbers))}).at(1),
            "a acquire ok token 17 lease 2000000000");
  EXPECT_EQ(events_of({request("a", span("lock.release", 0, 1, numbers))}).at(1), "a release ok");
  const std::string wrong = "," + attribute("lock.lease_ms", "2s");
  EXPECT_TRUE(contains(refusal([&] { events_of({request("a", span("lock.renew", 0, 1, wrong))}); }),
                       "span lock.renew (spanId lock.renew0): lock.lease_ms: expected a number from 0"));
}

TEST(OtlpSpans, SharedAndBackgroundAreMarked) {
  EXPECT_EQ(events_of({request("a", span("lock.acquire", 0, 1, "," + attribute("lock.mode", "shared")))}),
            (Texts{"a acquire invoke shared", "a acquire ok"}));
  const std::string yes = R"(,{"key":"lock.background","value":{"boolValue":true}})";
  EXPECT_EQ(events_of({request("a", span("lock.renew", 0, 1, yes))}),
            (Texts{"a renew invoke background", "a renew ok background"}));
}

TEST(OtlpSpans, HolderIsTheFirstGroupOfAttributesThatIsComplete) {
  const std::string thread = R"(,{"key":"thread.id","value":{"intValue":"7"}})";
  EXPECT_EQ(events_of({request("a", span("lock.acquire", 0, 1, thread))}).at(0), "a/7 acquire invoke");
  const std::string own = "," + attribute("lock.holder", "me");
  EXPECT_EQ(events_of({request("a", span("lock.acquire", 0, 1, own + thread))}).at(0), "me acquire invoke");
  const std::string none = R"({"resourceSpans":[{"scopeSpans":[{"spans":[)" + span("lock.acquire", 0, 1) + "]}]}]}";
  EXPECT_TRUE(contains(refusal([&] { events_of({none}); }),
                       "has no attribute that names its holder: lock.holder, or service.instance.id and thread.id"));
}

// At one time, a holder's span that ends comes before its span that begins, and a span without a length between.
TEST(OtlpSpans, SpansOfAHolderThatTouchKeepTheirOrder) {
  const Texts lines{
      request("a", span("lock.release", 5, 9) + "," + span("lock.renew", 5, 5) + "," + span("lock.acquire", 0, 5))};
  EXPECT_EQ(events_of(lines), (Texts{"a acquire invoke", "a acquire ok", "a renew invoke", "a renew ok",
                                     "a release invoke", "a release ok"}));
}

TEST(OtlpSpans, SpanThatWasSentTwiceCountsOnce) {
  const std::string once = request("a", span("lock.acquire", 0, 5) + "," + span("lock.release", 6, 6));
  EXPECT_EQ(events_of({once, once}), events_of({once}));
}

TEST(OtlpSpans, OtherSignalsAndUnknownFieldsAreSkipped) {
  EXPECT_EQ(events_of({R"({"resourceLogs":[{"scopeLogs":[]}]})", R"({"resourceMetrics":[]})",
                       R"({"resourceSpans":[{"new":1,"scopeSpans":[{"spans":[{"name":"x","links":[]}]}]}]})"}),
            Texts());
}

TEST(OtlpSpans, FaultyRequestsAreRefused) {
  const auto why = [](const std::string& line) { return refusal([&] { events_of({line}); }); };
  EXPECT_TRUE(contains(why(R"({"resourceSpans":[)"), "broken JSON at column"));
  EXPECT_TRUE(contains(why(R"({"spans":[]})"), "has no resourceSpans"));
  EXPECT_TRUE(contains(why(R"({"resourceSpans":{}})"), "resourceSpans: expected a list"));
  EXPECT_TRUE(contains(why(R"({"resourceSpans":[{"scopeSpans":[{"spans":[7]}]}]})"), "spans: expected an object"));
  EXPECT_TRUE(contains(why(request("a", span("lock.acquire", 5, 1))), "ends before it begins"));
  EXPECT_TRUE(contains(why(R"({"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"lock.acquire"}]}]}]})"),
                       "endTimeUnixNano: expected nanoseconds since 1970"));
}

TEST(OtlpMapping, OwnNamesAndAttributesAreUsed) {
  const OtlpMapping mapping = read_otlp_mapping(R"({
    "acquire": [{"name": "SET", "attributes": {"try": 1}}],
    "busy": [{"attributes": {"lock.acquired": false}}],
    "key": ["db.key"],
    "holder": [["host", "worker"]]})",
                                                "m.json");
  const std::string attributes = "," + attribute("db.key", "k") + "," + attribute("host", "h") + "," +
                                 attribute("worker", "w") + R"(,{"key":"lock.acquired","value":{"boolValue":false}})";
  const std::string tried = R"(,{"key":"try","value":{"intValue":"1"}})";
  EXPECT_EQ(
      events_of({request("a", span("SET", 0, 1, attributes + tried) + "," + span("SET", 2, 3, attributes))}, mapping),
      (Texts{"h/w acquire invoke", "h/w acquire fail busy"}));
}

TEST(OtlpMapping, OkMayNeedAnAttribute) {
  const OtlpMapping mapping = read_otlp_mapping(R"({"ok": [{"attributes": {"got": true}}]})", "m.json");
  const std::string got = R"(,{"key":"got","value":{"boolValue":true}})";
  EXPECT_EQ(events_of({request("a", span("lock.acquire", 0, 1, got))}, mapping).at(1), "a acquire ok");
  EXPECT_EQ(events_of({request("a", span("lock.acquire", 0, 1))}, mapping).at(1), "a acquire info");
}

TEST(OtlpMapping, MistakesAreNamed) {
  const auto why = [](const std::string& text) { return refusal([&] { read_otlp_mapping(text, "m.json"); }); };
  EXPECT_TRUE(contains(why(R"({"aquire": []})"), "did you mean 'acquire'"));
  EXPECT_TRUE(contains(why("{\"busy\":\n [{}]}"), "m.json:2: busy[0]: matches every span"));
  EXPECT_TRUE(contains(why(R"({"busy": [{"attributes": {"x": 1.5}}]})"), "expected a string, an integer"));
  EXPECT_TRUE(contains(why(R"({"holder": ["thread.id"]})"), "holder[0]: expected a list of names of attributes"));
  EXPECT_TRUE(contains(why(R"({"key": []})"), "key: expected a list of names of attributes"));
}

TEST(OtlpLog, IsOpenedAsAHistory) {
  const TemporaryFolder folder;
  const std::string log = folder.write(
      "spans.jsonl", request("a", span("lock.acquire", 0, 5)) + "\n" + request("b", span("lock.acquire", 1, 2)) + "\n");
  const auto source = open_history(log);
  Event event;
  std::vector<std::string> places;
  while (source->next(event)) places.push_back(source->place());
  EXPECT_EQ(places, (Texts{log + ":1", log + ":2", log + ":2", log + ":1"}));
  const auto warnings = source->warnings(true);
  ASSERT_EQ(warnings.size(), 2U);
  EXPECT_TRUE(contains(warnings[0], "no span of a lock has an outcome or the status ERROR, so all 2 count as ok"));
  EXPECT_TRUE(contains(warnings[1], "merged by times of day"));
}

TEST(OtlpLog, WithoutASpanOfALockIsRefused) {
  const TemporaryFolder folder;
  const std::string log = folder.write("spans.jsonl", request("a", span("GET /", 0, 5)) + "\n");
  EXPECT_TRUE(contains(refusal([&] { open_history(log); }),
                       "spans.jsonl: has no span of a lock among 1 spans, named GET /; remedy: give the names"));
  const std::string wide = folder.write("wide.json", "{\n \"resourceSpans\": []\n}\n");
  EXPECT_TRUE(contains(refusal([&] { open_history(wide); }), "remedy: one request per line"));
}

}  // namespace
}  // namespace holdfast
