// The quick way through a line against the general parser: whatever it takes, it takes as the parser does, and what the
// parser refuses it never takes. Lines are made of pieces, some of them broken.
#include "history/plain_line.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

const std::vector<std::string> kPieces{R"("index":0)",
                                       R"("index":17)",
                                       R"("time":4000000000000000000)",
                                       R"("time":999999999999999999)",
                                       R"("time" : 12)",
                                       R"("process":3)",
                                       R"("process":"p 1")",
                                       R"("process":"nemesis")",
                                       R"("process":"\u0041")",
                                       R"("process":-1)",
                                       R"("type":"invoke")",
                                       R"("type":"ok")",
                                       R"("type":"fail")",
                                       R"("type":"done")",
                                       R"("f":"acquire")",
                                       R"("f":"renew")",
                                       R"("f":"leave")",
                                       R"("f":"write")",
                                       R"("key":"orders")",
                                       R"("key":01)",
                                       R"("key":"")",
                                       R"("token":5)",
                                       R"("token":"5")",
                                       R"("token":null)",
                                       R"("lease_ms":2000)",
                                       R"("lease_ms":4000000000001)",
                                       R"("reason":"busy")",
                                       R"("reason":"other words")",
                                       R"("client":4)",
                                       R"("client":1000000)",
                                       R"("op":3)",
                                       R"("grant":2)",
                                       R"("note":"x")",
                                       R"("note":true)",
                                       R"("note":1.5)",
                                       R"("note":[1])",
                                       R"("background":true)",
                                       R"("mode":"shared")",
                                       R"("value":3)",
                                       R"("holdfast_history":1)",
                                       R"("reason":"bu\tsy")"};

std::string said(const Event& e, const HistoryLine& l) {
  std::string text =
      std::to_string(e.index) + "," + std::to_string(e.time_ns) + "," + to_text(e.type) + "," + to_text(e.op);
  text += std::string(",") + to_text(e.reason) + "," + to_text(e.actor) + "," + std::to_string(e.number);
  text += "," + std::to_string(e.grant) + "," + (e.token ? std::to_string(*e.token) : "-");
  text += "," + (e.lease_ns ? std::to_string(*e.lease_ns) : std::string("-")) + (e.background ? "b" : "") +
          (e.shared ? "s" : "");
  text += "," + l.process + "," + (l.has_key ? l.key : "-") + "," + (l.has_client ? std::to_string(e.client) : "-");
  return text + (l.has_time ? "t" : "") + (l.has_index ? "i" : "");
}

RC_GTEST_PROP(PlainLine, TakesWhatTheParserTakesAndAsTheParserDoes, ()) {
  const auto chosen = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces));
  std::string text = "{";
  for (const std::string& piece : chosen)
    text += (text.size() > 1 ? *rc::gen::elementOf(std::vector<std::string>{",", ", "}) : "") + piece;
  if (*rc::gen::inRange(0, 3) > 0) text += R"(,"process":"q","type":"invoke","f":"release")";
  text += *rc::gen::elementOf(std::vector<std::string>{"}", "}", "}", "} ", "", "}}", "},"});
  if (*rc::gen::inRange(0, 8) == 0) text[*rc::gen::inRange<std::size_t>(0, text.size())] = *rc::gen::arbitrary<char>();
  Event quick;
  HistoryLine quick_line;
  const bool plain = scan_plain_line(text, quick, quick_line);
  RC_TAG(std::string(plain ? "plain" : "not plain"));
  if (!plain) return;
  Event event;
  HistoryLine line;
  try {
    parse_history_line(text, event, line);
  } catch (const BadInput& e) {
    RC_FAIL("the parser refuses it: " + std::string(e.what()) + " " + text);
  }
  RC_ASSERT(said(quick, quick_line) == said(event, line));
}

TEST(PlainLine, TakesWhatRunsWrite) {
  Event event;
  HistoryLine line;
  EXPECT_TRUE(scan_plain_line(R"({"index":1,"time":5,"process":3,"type":"ok","f":"acquire","key":"k0","token":1})",
                              event, line));
  EXPECT_EQ(event.token, 1u);
  EXPECT_TRUE(
      scan_plain_line(R"({"process": "a", "type": "fail", "f": "acquire", "reason": "busy", "note": 3})", event, line));
  EXPECT_EQ(event.reason, Reason::busy);
  EXPECT_FALSE(scan_plain_line(R"({"process":"a","type":"fail","f":"acquire","f":"acquire"})", event, line));
}

}  // namespace
}  // namespace holdfast
