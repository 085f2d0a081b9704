// Every history that the reader refuses, and the words in which it does.
#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "history/history.hpp"
#include "tests/history/text_on_disk.hpp"

namespace holdfast {
namespace {

const std::string kAskLine = R"({"index":1,"time":10,"process":1,"type":"invoke","f":"acquire","key":"a"})"
                             "\n";
const std::string kGotLine = R"({"index":2,"time":20,"process":1,"type":"ok","f":"acquire","key":"a"})"
                             "\n";

const std::string kRun = R"({"holdfast_history":3})"
                         "\n";

// The reader's message, without the file's name.
std::string refusal_of_text(const std::string& text) {
  const TextOnDisk file(text);
  try {
    HistoryReader reader(file.path);
    for (Event event; reader.next(event);) continue;
  } catch (const BadInput& e) {
    const std::string what = e.what();
    EXPECT_EQ(what.compare(0, file.path.size(), file.path), 0) << what;
    return what.substr(file.path.size());
  }
  return "";
}

struct Refused {
  const char* name;
  std::string text;
  std::string says;
};

class HistoryReaderRefuses : public ::testing::TestWithParam<Refused> {};

TEST_P(HistoryReaderRefuses, ErrorsNameTheLine) {
  EXPECT_EQ(refusal_of_text(GetParam().text), GetParam().says);
}

std::string one(const std::string& fields) {
  return R"({"process":1,"type":"invoke","f":"acquire",)" + fields + "}";
}

INSTANTIATE_TEST_SUITE_P(
    Each, HistoryReaderRefuses,
    ::testing::Values(
        Refused{"Empty", "", ": is empty: a history has one event per line"},
        Refused{"Blank", "\n \r\n", ": is empty: a history has one event per line"},
        Refused{"BrokenJson",
                kAskLine + "{\"time\":", ":2: broken JSON at column 9; a history has one object per line"},
        Refused{"NumberTooLarge", kAskLine + "{\"time\":9E888}", ":2: time: the number is too large"},
        Refused{"NoObject", "[1]", ":1: expected an object"},
        Refused{"KeyTwice", kAskLine + R"({"time":1,"process":1,"time":2})", ":2: time: duplicate key"},
        Refused{"KeyTwiceEscaped", R"({"a:\\":1,"type":2,"t\u0079pe":3})", ":1: type: duplicate key"},
        Refused{"KeyTwiceInside", R"({"x":[{"a":"b:c"},{"q":1,"q":{}}]})", ":1: x[1].q: duplicate key"},
        Refused{"KeyTwiceInTheHeader", R"({"holdfast_history":3,"seed":1,"seed":2})", ":1: seed: duplicate key"},
        Refused{"NoProcess", R"({"type":"ok","f":"acquire"})", ":1: process: is missing"},
        Refused{"NoType", R"({"process":1,"f":"acquire"})", ":1: type: is missing"},
        Refused{"NoF", R"({"process":1,"type":"ok"})", ":1: f: is missing"},
        Refused{"UnknownMode", one(R"("mode":"both")"), ":1: mode: must be shared or exclusive"},
        Refused{"OnlyRenewalsInTheBackground", one(R"("background":true)"),
                ":1: background: only a renewal can have this key"},
        Refused{"TwoRenewalsInTheBackground",
                R"({"process":1,"type":"invoke","f":"renew","background":true})"
                "\n"
                R"({"process":1,"type":"invoke","f":"renew","background":true})",
                ":2: process 1 invokes renew while its renew is open"},
        Refused{"BackgroundCompletionOfAMainRenewal",
                R"({"process":1,"type":"invoke","f":"renew"})"
                "\n"
                R"({"process":1,"type":"ok","f":"renew","background":true})",
                ":2: an ok of renew by process 1 that it did not invoke"},
        Refused{"UnknownType", R"({"process":1,"type":"okay","f":"acquire"})",
                ":1: unknown type 'okay'; known: invoke, ok, fail, info"},
        Refused{"UnknownF", R"({"process":1,"type":"ok","f":"lock"})",
                ":1: unknown f 'lock'; known: acquire, renew, release, leave, write"},
        Refused{"WrongType", R"({"process":1,"type":7,"f":"acquire"})", ":1: type: expected a string"},
        Refused{"WrongProcess", R"({"process":[],"type":"ok","f":"acquire"})",
                ":1: process: expected a string or a number of at least 0"},
        Refused{"NegativeProcess", R"({"process":-1,"type":"ok","f":"acquire"})",
                ":1: process: expected a string or a number of at least 0"},
        Refused{"WrongKey", one(R"("key":null)"), ":1: key: expected a string or a number of at least 0"},
        Refused{"NegativeTime", one(R"("time":-5)"), ":1: time: must be from 0 to 4000000000000000000"},
        Refused{"HugeTime", one(R"("time":5000000000000000000)"), ":1: time: must be from 0 to 4000000000000000000"},
        Refused{
            "OverlongTime", one(R"("time":99999999999999999999999)"),
            ":1: time: a number with a decimal point, an exponent or more than 64 bits is read as seconds, and must be "
            "from 0 to 4000000000; remedy: write nanoseconds as a whole number"},
        Refused{"TextTime", one(R"("time":"5")"),
                ":1: time: cannot be read; known forms: nanoseconds as a whole number, seconds with a decimal point, "
                "or ISO 8601 such as \"2026-11-24T22:51:58.123Z\""},
        Refused{"NegativeLease", one(R"("lease_ms":-1)"), ":1: lease_ms: must be from 0 to 4000000000000"},
        Refused{"FractionalLease", one(R"("lease_ms":1.5)"), ":1: lease_ms: expected an integer of at most 64 bits"},
        Refused{"NegativeToken", one(R"("token":-1)"),
                ":1: token: expected a number from 0 to 18446744073709551615, or a string of its digits"},
        Refused{"OverlongToken", one(R"("token":"18446744073709551616")"),
                ":1: token: expected a number from 0 to 18446744073709551615, or a string of its digits"},
        Refused{"EmptyToken", one(R"("token":"")"),
                ":1: token: expected a number from 0 to 18446744073709551615, or a string of its digits"},
        Refused{"HugeClient", one(R"("client":1000000)"), ":1: client: must be from 0 to 999999"},
        Refused{"NoInvocation", kAskLine + R"({"time":20,"process":2,"type":"ok","f":"acquire"})",
                ":2: an ok of acquire by process 2 that it did not invoke"},
        Refused{"CompletedTwice", kAskLine + kGotLine + R"({"time":30,"process":1,"type":"fail","f":"acquire"})",
                ":3: a fail of acquire by process 1 that it did not invoke"},
        Refused{"OtherOperation", kAskLine + R"({"time":20,"process":1,"type":"info","f":"release"})",
                ":2: an info of release by process 1 that it did not invoke"},
        Refused{"OtherKey", kAskLine + R"({"time":20,"process":1,"type":"ok","f":"acquire","key":"b"})",
                ":2: process 1 invoked acquire on key 'a', its completion names another key"},
        Refused{"TwoOpen", kAskLine + R"({"time":20,"process":1,"type":"invoke","f":"release"})",
                ":2: process 1 invokes release while its acquire is open"},
        Refused{"TimeBackwards", kAskLine + R"({"time":9,"process":1,"type":"ok","f":"acquire"})",
                ":2: time: goes backwards, from 10 to 9"},
        Refused{"TimeMissing", kAskLine + R"({"process":1,"type":"ok","f":"acquire"})",
                ":2: time: is missing, but earlier lines have it"},
        Refused{"IndexBackwards", kAskLine + R"({"index":0,"time":20,"process":1,"type":"ok","f":"acquire"})",
                ":2: index: goes backwards, from 1 to 0"},
        Refused{"IndexTwice", kAskLine + R"({"index":1,"time":20,"process":1,"type":"ok","f":"acquire"})",
                ":2: index: 1 occurs twice"},
        Refused{"FutureVersion", R"({"holdfast_history":4})",
                ":1: holdfast_history: form 4 was written by a newer holdfast; this version reads form 3"},
        Refused{"OldVersion", R"({"holdfast_history":1})",
                ":1: holdfast_history: form 1 was written by an older holdfast; this version reads form 3; "
                "docs/changes.md lists the renamed keys; remedy: run it again"},
        Refused{"CutAtALinesEnd", kRun + kAskLine + kGotLine,
                ":3: the history was cut off: the record that ends a run's history, {\"type\":\"end\",\"events\":2} "
                "after these events, is missing; remedy: run the trial again"},
        Refused{"CutAfterItsHeader", kRun,
                ":1: the history was cut off: the record that ends a run's history, {\"type\":\"end\",\"events\":0} "
                "after these events, is missing; remedy: run the trial again"},
        Refused{"ALineIsMissing", kRun + kAskLine + R"({"type":"end","events":2})",
                ":3: the end record counts 2 events, and 1 precede it: lines are missing or were added; remedy: run "
                "the trial again"},
        Refused{"GoesOnAfterItsEnd",
                kRun + kAskLine +
                    R"({"events":1,"type":"end"})"
                    "\n" +
                    kGotLine,
                ":4: a line after the end record"},
        Refused{"EndWithoutACount", kRun + R"({"type":"end"})", ":2: events: is missing"},
        Refused{"EndOfAForeignOne", kAskLine + R"({"type":"end","events":1})", ":2: process: is missing"},
        Refused{"UnknownStep", R"({"process":"nemesis","type":"info","f":"pause","step":"start"})",
                ":1: unknown step 'start'; known: begin, end, kill, healed, stall, load_end, unanswered"},
        Refused{"UnknownAim", R"({"process":"nemesis","type":"info","f":"pause","step":"begin","aim":"grant"})",
                ":1: unknown aim 'grant'; known: none, request, reply"}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace holdfast
