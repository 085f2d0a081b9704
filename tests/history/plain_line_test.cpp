// The quick way through a line against the general parser: whatever it takes, it takes as the parser does, and what the
// parser refuses it never takes. Lines are made of pieces, some of them broken.
#include "history/plain_line.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>

#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "history/history.hpp"
#include "history/plain_scan.hpp"
#include "history/usual_line.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

const std::vector<std::string> kPieces{R"("index":0)",
                                       R"("index":17)",
                                       R"("time":4000000000000000000)",
                                       R"("time":999999999999999999)",
                                       R"("time" : 12)",
                                       R"("time":1764024718.25)",
                                       R"("time":0.1)",
                                       R"("time":00.5)",
                                       R"("time":12.)",
                                       R"("time":3.1e2)",
                                       R"("time":99999999999.5)",
                                       R"("time":"2026-11-24T22:51:58.123+02:00")",
                                       R"("time":"2026-11-24 22:51:58,5")",
                                       R"("time":"1969-11-24 22:51:58")",
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
                                       R"("key":"a,b:{c}[")",
                                       R"("key":"a"b")",
                                       R"("no,te:":"},{")",
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
                                       R"("background":false)",
                                       R"("statements":[])",
                                       R"("statements":[{"name":"take","call":5,"return":7,"rows":-1,"error":0}])",
                                       R"("statements":[{"rows":2,"name":"a"}, {"error":1213}])",
                                       R"("statements":[{"rows":-12}])",
                                       R"("statements":[{"name":"a","values":{"owner":"x","ttl":20,"gone":null}}])",
                                       R"("statements":[{"values":{}}])",
                                       R"("statements":[{"values":{"a":1,"a":2}}])",
                                       R"("statements":[{"values":{"a":"\""}}])",
                                       R"("statements":[{"values":{"a":{"b":1}}}])",
                                       R"("statements":[{"values":7}])",
                                       R"("statements":[{"values":{"a":1)",
                                       R"("statements":[{"rows":1,"rows":1}])",
                                       R"("statements":[{"error":2147483648}])",
                                       R"("statements":{})",
                                       R"("value":null)",
                                       R"("value":[1, [2,"a"],[]])",
                                       R"("value":-3.25)",
                                       R"("value":01)",
                                       R"("value":[1,])",
                                       R"("value":{"a":1})",
                                       R"("va\u006cue":1)",
                                       R"("step":"begin")",
                                       R"("clients":7)",
                                       R"("time":9999999999999999999)",
                                       R"("token":9999999999999999999)",
                                       R"("token":"18446744073709551615")",
                                       R"("process":4294967295)",
                                       R"("process":12345678901)",
                                       R"("mode":"exclusive")",
                                       R"("mode":"both")",
                                       R"("mode":"shared")",
                                       R"("value":3)",
                                       R"("holdfast_history":1)",
                                       R"("reason":"bu\tsy")"};

// The scanner may read beyond the end of the line, but only within its padding: memory ends there.
class Scanned {
 public:
  explicit Scanned(const std::string& text, char behind = '"') {
    static char* const end = end_of_memory();
    char* const from = end - kLinePadding - text.size();
    std::memcpy(from, text.data(), text.size());
    std::memset(end - kLinePadding, behind, kLinePadding);
    text_ = {from, text.size()};
  }
  bool plain() { return scan_plain_line(text_, event, line); }
  bool usual(UsualLine& usual) { return usual.scan(text_, event, line); }
  void teach(UsualLine& usual) const { usual.learn(text_); }
  Event event;
  HistoryLine line;

 private:
  // A read there, or behind it, crashes.
  static char* end_of_memory() {
    constexpr std::size_t kSize = std::size_t{1} << 20;
    void* const from = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    char* const end = static_cast<char*>(from) + kSize - page;
    if (from == MAP_FAILED || ::mprotect(end, page, PROT_NONE) != 0) std::abort();
    return end;
  }

  std::string_view text_;  // the one made last
};

std::string said(const Event& e, const HistoryLine& l) {
  std::string text =
      std::to_string(e.index) + "," + std::to_string(e.time_ns) + "," + to_text(e.type) + "," + to_text(e.op);
  text += std::string(",") + to_text(e.reason) + "," + to_text(e.actor) + "," + std::to_string(e.number);
  text += "," + std::to_string(e.grant) + "," + (e.token ? std::to_string(*e.token) : "-");
  text += "," + (e.lease_ns ? std::to_string(*e.lease_ns) : std::string("-")) + (e.background ? "b" : "") +
          (e.shared ? "s" : "");
  for (const Statement& s : e.statements) {
    text += " " + s.name + " " + std::to_string(s.call_ns) + " " + std::to_string(s.return_ns) + " " +
            std::to_string(s.rows) + " " + std::to_string(s.error) +
            (s.values.empty() ? "" : " " + nlohmann::json::parse(s.values).dump());
  }
  text += "," + std::string(l.process.text()) + "," + (l.has_key ? std::string(l.key.text()) : "-") + "," +
          (l.has_client ? std::to_string(e.client) : "-");
  return text + (l.has_time ? to_text(l.time_form) : "") + (l.has_index ? "i" : "");
}

// Few pieces, so that many lines are plain: one broken piece is enough for a line that is not.
std::string any_line() {
  const auto count = *rc::gen::inRange<std::size_t>(0, 4);
  const auto chosen = *rc::gen::container<std::vector<std::string>>(count, rc::gen::elementOf(kPieces));
  std::string text = "{";
  for (const std::string& piece : chosen)
    text += (text.size() > 1 ? *rc::gen::elementOf(std::vector<std::string>{",", ", "}) : "") + piece;
  if (*rc::gen::inRange(0, 3) > 0) text += R"(,"process":"q","type":"invoke","f":"release")";
  text += *rc::gen::elementOf(std::vector<std::string>{"}", "}", "}", "} ", "", "}}", "},"});
  if (*rc::gen::inRange(0, 8) == 0) text[*rc::gen::inRange<std::size_t>(0, text.size())] = *rc::gen::arbitrary<char>();
  return text;
}

void as_the_parser_does(const std::string& text, const Scanned& quick) {
  Event event;
  HistoryLine line;
  try {
    parse_history_line(text, event, line);
  } catch (const BadInput& e) {
    RC_FAIL("the parser refuses it: " + std::string(e.what()) + " " + text);
  }
  RC_ASSERT(said(quick.event, quick.line) == said(event, line));
}

RC_GTEST_PROP(PlainLine, MatchesTheParser, ()) {
  const std::string text = any_line();
  Scanned quick(text);
  const bool plain = quick.plain();
  RC_TAG(std::string(plain ? "plain" : "not plain"));
  RC_ASSERT(quick.plain() == plain);  // whatever was read before
  if (plain) as_the_parser_does(text, quick);
}

// Knowledge from other lines, in any order of their fields, never changes the result for a line.
RC_GTEST_PROP(UsualLine, MatchesTheParser, ()) {
  UsualLine usual;
  bool any = false;
  for (int i = 0; i < 8; ++i) {
    const std::string text = any_line();
    for (int again = 0; again < 2; ++again) {
      const char behind = *rc::gen::elementOf(std::string("\"0[ ,}a"));
      Scanned quick(text, behind);
      if (quick.usual(usual)) {
        any = true;
        as_the_parser_does(text, quick);
      } else if (quick.plain()) {
        quick.teach(usual);
      }
    }
  }
  RC_TAG(std::string(any ? "usual" : "not usual"));
}

bool is_plain(const std::string& text) {
  return Scanned(text).plain();
}

TEST(PlainLine, ReadsLinesOfRuns) {
  Scanned grant(R"({"index":1,"time":5,"process":3,"type":"ok","f":"acquire","key":"k0","token":1})");
  EXPECT_TRUE(grant.plain());
  EXPECT_EQ(grant.event.token, 1u);
  EXPECT_EQ(grant.line.process.number(), 3u);
  Scanned refusal(R"({"process": "a", "type": "fail", "f": "acquire", "reason": "busy", "note": 3})");
  EXPECT_TRUE(refusal.plain());
  EXPECT_EQ(refusal.event.reason, Reason::busy);
  EXPECT_FALSE(is_plain(R"({"process":"a","type":"fail","f":"acquire","f":"acquire"})"));
  Scanned told(R"({"process":1,"type":"ok","f":"acquire","statements":[{"name":"take","rows":1},{"rows":-1}]})");
  EXPECT_TRUE(told.plain());
  ASSERT_EQ(told.event.statements.size(), 2u);
  EXPECT_EQ(told.event.statements[0].name, "take");
  EXPECT_EQ(told.event.statements[1].rows, -1);
}

TEST(PlainLine, ReadsFieldsInAnyOrderAndSkipsOthers) {
  Scanned line(
      R"({"value":[1,null],"f":"acquire","lease_ms":30, "key":"a-1","type":"invoke","ratio":-0.5,"process":7})");
  EXPECT_TRUE(line.plain());
  EXPECT_EQ(line.event.lease_ns, 30'000'000);
  EXPECT_EQ(line.line.key.text(), "a-1");
}

TEST(PlainLine, KeepsNothingOfTheLineBefore) {
  HistoryLine line;
  Event event;
  const auto scan = [&](const std::string& text) {
    const std::string padded = text + std::string(kLinePadding, ' ');
    return scan_plain_line(std::string_view(padded).substr(0, text.size()), event, line);
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(scan(R"({"process":1,"type":"invoke","f":"acquire","key":"a","client":2})"));
    EXPECT_FALSE(event.token.has_value());
    EXPECT_TRUE(scan(R"({"process":1,"type":"ok","f":"acquire","key":"a","token":7,"client":2})"));
    EXPECT_EQ(event.token, 7U);
    EXPECT_EQ(event.client, 2U);
    EXPECT_TRUE(scan(R"({"f":"release", "type":"ok","process":1})"));
    EXPECT_FALSE(line.has_key);
    EXPECT_FALSE(scan(R"({"process":1,"type":"ok","f":"release","key")"));
    EXPECT_FALSE(scan(R"({"process":1,"type":"ok","f":"release","key":)"));
    EXPECT_FALSE(scan(R"({"process":1,"process":1,"type":"ok","f":"release"})"));
  }
}

TEST(PlainLine, LooksAtNothingBehindTheLine) {
  EXPECT_FALSE(is_plain(R"({"process":7,"type":"ok","f":"renew)"));
  EXPECT_FALSE(is_plain(R"({"process":7,"type":"ok","f":"renew")"));
  EXPECT_FALSE(is_plain(R"({"process":7,"type":"ok","f":"renew","key":")"));
  EXPECT_FALSE(is_plain(R"({"process":7,"type":"ok","f":"renew","key)"));
  EXPECT_FALSE(is_plain(R"({"process":7,"type":"ok","f":"renew","note":[1)"));
  EXPECT_FALSE(is_plain(""));
}

// Tries every size, so that each step of the scan ends somewhere before the end of the padding.
TEST(PlainLine, LooksNoFurtherThanItsPadding) {
  const std::string line =
      R"({"index":12345678,"time":123456789012345678,"process":"p","type":"ok","f":"acquire","key":"orders")"
      R"(,"statements":[{"name":"take","rows":1}],"note":[1,"a"],"ratio":-0.5,"token":"12345678901234567"})";
  EXPECT_TRUE(is_plain(line));
  UsualLine usual;
  Scanned(line).teach(usual);
  for (const char behind : {'"', '0', '[', ' ', ',', '}', 'a'}) {
    for (std::size_t size = 0; size < line.size(); ++size) {
      EXPECT_FALSE(Scanned(line.substr(0, size), behind).plain()) << size << behind;
      UsualLine patient = usual;
      EXPECT_FALSE(Scanned(line.substr(0, size), behind).usual(patient)) << size << behind;
    }
    for (std::size_t longer = 0; longer < 200; ++longer) {
      const std::string key(longer, 'k');
      EXPECT_TRUE(Scanned(R"({"process":1,"type":"ok","f":"renew","key":")" + key + R"("})", behind).plain()) << longer;
    }
  }
  std::string many = R"({"process":1,"type":"ok","f":"renew","note":[0)";
  for (int i = 0; i < 9'000; ++i) many += ",1";
  EXPECT_FALSE(is_plain(many + "]}")) << "too long";
}

// The reader's own memory ends where the padding does (under AddressSanitizer a step beyond it is an error).
TEST(PlainLine, AReaderHasThePaddingBehindItsLastLine) {
  const TemporaryFolder folder;
  const std::string path = folder.file("h.jsonl");
  constexpr std::size_t kPiece = std::size_t{256} << 10;
  for (const std::size_t beyond : {0, 1, 63, 64, 65}) {
    std::string text;
    std::uint64_t events = 0;
    while (text.size() < kPiece - 400) {
      text += R"({"process":1,"type":"invoke","f":"acquire"})"
              "\n"
              R"({"process":1,"type":"ok","f":"acquire"})"
              "\n";
      events += 2;
    }
    const std::string last = R"({"process":1,"type":"invoke","f":"release","note":"")";
    text += last.substr(0, last.size() - 1) + std::string(kPiece + beyond - text.size() - last.size() - 1, 'n') + "\"}";
    ASSERT_EQ(text.size(), kPiece + beyond);
    std::ofstream(path, std::ios::binary) << text;
    HistoryReader in(path);
    Event event;
    std::uint64_t read = 0;
    while (in.next(event)) ++read;
    EXPECT_EQ(read, events + 1);
    EXPECT_EQ(event.op, Op::release);
  }
}

TEST(UsualLine, ReadsOnlyLinesInTheLearnedOrder) {
  UsualLine usual;
  const auto takes = [&](const std::string& text) { return Scanned(text).usual(usual); };
  const std::string grant =
      R"({"index":1,"time":5,"process":"p 1","type":"ok","f":"acquire","key":"k0","token":1,"value":[1,null],)"
      R"("client":3,"statements":[{"name":"take","rows":1}]})";
  EXPECT_FALSE(takes(grant)) << "nothing is known yet";
  Scanned(grant).teach(usual);
  Scanned again(grant);
  EXPECT_TRUE(again.usual(usual));
  EXPECT_EQ(again.event.statements.size(), 1U);
  EXPECT_EQ(again.line.process.text(), "p 1");
  EXPECT_TRUE(takes(R"({"process":1,"type":"invoke","f":"acquire"})")) << "some are missing";
  EXPECT_FALSE(takes(R"({"process":1,"f":"acquire","type":"invoke"})")) << "another order";
  EXPECT_FALSE(takes(R"({"process":1,"type":"invoke"})"));
  EXPECT_FALSE(takes(R"({"process":1,"process":1,"type":"invoke","f":"acquire"})"));
  EXPECT_FALSE(takes(R"({"process":"nemesis","type":"info","f":"acquire"})")) << "it has other fields";
  EXPECT_FALSE(takes(R"({"process":1,"type":"invoke","f":"acquire","value":{"a":1}})"));
  EXPECT_FALSE(takes(R"({"process":1,"type":"invoke","f":"acquire","key":"k0","reason":"busy"})"));
  const std::string refusal = R"({"process":1,"type":"fail","f":"acquire","key":"k0","reason":"busy"})";
  Scanned(refusal).teach(usual);
  EXPECT_TRUE(takes(refusal));
  EXPECT_TRUE(takes(grant)) << "what was new has its place among the others";
  const std::string spaced = R"({"process": 1, "type": "ok", "f": "acquire", "note": [1]})";
  EXPECT_FALSE(takes(spaced)) << "blanks are a part of the order";
  Scanned(spaced).teach(usual);
  EXPECT_TRUE(takes(spaced));
  EXPECT_FALSE(takes(R"({"process":1, "process": 1, "type": "ok", "f": "acquire"})")) << "twice, in two ways";
}

TEST(UsualLine, GivesUpWhereLinesHaveNoOrder) {
  const std::string one = R"({"process":1,"type":"invoke","f":"acquire"})";
  const std::string other = R"({"f":"acquire","type":"invoke","process":1})";
  UsualLine usual;
  Scanned(one).teach(usual);
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(Scanned(one).usual(usual) && !Scanned(other).usual(usual));
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(Scanned(other).usual(usual));
  EXPECT_FALSE(Scanned(one).usual(usual));
}

TEST(PlainLine, NulIsNotPartOfAWord) {
  using namespace std::string_literals;
  EXPECT_FALSE(is_plain("{\"process\":7,\"type\":\"ok\0\",\"f\":\"renew\"}"s));
  EXPECT_FALSE(is_plain("{\"process\":7,\"type\":\"ok\",\"f\0\":\"renew\"}"s));
}

}  // namespace
}  // namespace holdfast
