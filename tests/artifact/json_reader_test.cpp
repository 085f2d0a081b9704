// The one reader of JSON: limits, and messages that name file, line and key for whatever a program stored.
#include "artifact/json_reader.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "artifact/facts.hpp"
#include "artifact/run_verdict.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

namespace holdfast {
namespace {

std::string refused(const std::string& text) {
  return refusal([&] { parse_json(text, "x.json"); });
}

std::string many_keys(const std::string& last) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"k" + std::to_string(i) + "\": 0,\n";
  return text + "\"" + last + "\": 0}";
}

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

TEST(JsonReader, MatchesTheJsonLibrary) {
  for (const char* text :
       {"null", "[]", "{}", R"({"a": [1, -2, 2.5, "x", true, {"b": null}], "c": 18446744073709551615})"}) {
    EXPECT_EQ(parse_json(text, "x.json"), nlohmann::json::parse(text));
  }
}

TEST(JsonReader, RefusalNamesLineAndPath) {
  EXPECT_EQ(refused("{\"a\": [1,\n{\"b\": 1,\n\"b\": 2}]}"), "x.json:3: a[1].b: duplicate key");
  EXPECT_EQ(refused("[1,\n1e999]"), "x.json:2: [1]: the number is too large");
  EXPECT_TRUE(contains(refused("{\n\n?"), "x.json:3: not JSON: "));
  EXPECT_TRUE(contains(refused(""), "x.json:1: not JSON: "));
}

// The library takes a NUL for the end.
TEST(JsonReader, RefusesTextWithANul) {
  using namespace std::string_literals;
  EXPECT_EQ(refused("{}\n\0junk"s), "x.json:2: not JSON: a NUL byte");
  EXPECT_TRUE(contains(refused("{\"a\": \"\0\"}"s), "x.json:1: not JSON: "));
  EXPECT_EQ(refused(R"({"a": "\u0000"})"), "accepted");
  EXPECT_FALSE(is_json("{}\0"s));
  EXPECT_TRUE(is_json("{}"));
}

TEST(JsonReader, DeepNestingIsOneClearError) {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 200'000; ++i) text += open;
    EXPECT_TRUE(contains(refused(text), "nested too deeply (at most 64)")) << refused(text);
  }
  EXPECT_EQ(refused(std::string(64, '[') + std::string(64, ']')), "accepted");
}

TEST(JsonReader, LimitsTextsAndNumbersOfValues) {
  EXPECT_EQ(refused("{\"a\": \"" + std::string(std::size_t{2} << 20, 'x') + "\"}"),
            "x.json:1: a: a string of more than 1 MiB");
  EXPECT_EQ(refused("{\"" + std::string(std::size_t{2} << 20, 'x') + "\": 1}"), "x.json:1: a key of more than 1 MiB");
  struct Nothing : JsonReader {
    using JsonReader::JsonReader;
    void scalar(nlohmann::json) override {}
    void opened(bool) override {}
    void closed() override {}
    bool named(const std::string&) override { return true; }
  };
  EXPECT_NO_THROW((Nothing("[1,2]", {100, 3}).read()));
  EXPECT_THROW((Nothing("[1,2,3]", {100, 3}).read()), JsonRefusal);
  EXPECT_THROW((Nothing("[1,2]", {4, 3}).read()), JsonRefusal);
}

TEST(JsonReader, ManyKeysAreReadQuickly) {
  const std::string text = many_keys("k7");
  EXPECT_LT(seconds_of([&] { EXPECT_EQ(refused(text), "x.json:200001: k7: duplicate key"); }), 20);
  const std::string person = refusal([&] { parse_json_text(text, "x.json"); });
  EXPECT_EQ(person, "x.json:200001: k7: duplicate key");
  EXPECT_LT(seconds_of([&] {
              const JsonNode root = parse_json_text(many_keys("last"), "x.json");
              ObjectReader in(root);
              EXPECT_TRUE(contains(refusal([&] { in.finish(); }), "k0: unknown key 'k0'"));
            }),
            20);
}

TEST(JsonReader, LongMessageIsClippedInTheMiddle) {
  const std::string text = "begins" + std::string(100'000'000, 'x') + "ends";
  const std::string told = clipped_message(text);
  EXPECT_LT(told.size(), 5'000U);
  EXPECT_TRUE(contains(told, "begins") && contains(told, "ends") && contains(told, "bytes left out"));
  EXPECT_EQ(clipped_message("short"), "short");
}

class StoredFiles : public testing::Test {
 protected:
  std::string refusal_of(const std::string& text) {
    write_text_file(folder_.path() + "/facts.json", text);
    return refusal([&] { read_trial_facts(folder_.path() + "/facts.json"); });
  }
  TemporaryFolder folder_;
};

TEST_F(StoredFiles, AWrongTypeNamesFileLineAndKey) {
  const std::string file = folder_.path() + "/facts.json";
  EXPECT_EQ(refusal_of("{\n \"server\": \"a\",\n \"errors\": [],\n \"stalls\": \"2\"\n}"),
            file + ":4: stalls: expected an integer from 0 to 9223372036854775807");
  EXPECT_EQ(refusal_of("{\n \"server\": \"a\",\n \"errors\": [1],\n \"stalls\": 2\n}"),
            file + ":3: errors[0]: expected a string");
  EXPECT_EQ(refusal_of("{\n \"server\": \"a\"\n}"), file + ":1: errors: missing");
  EXPECT_EQ(refusal_of("[]"), file + ":1: expected an object");
  EXPECT_EQ(refusal_of("{\"server\": \"a\", \"errors\": [\"b\"], \"stalls\": 2}"), "accepted");
}

TEST_F(StoredFiles, LinesAreFoundDeepInside) {
  const std::string text = "{\"a\": [\n{\"b\": 1},\n{\"b\": {\n\"c\": 1}}]}";
  EXPECT_EQ(line_of(text, "a[0].b"), 2);
  EXPECT_EQ(line_of(text, "a[1].b.c"), 4);
  EXPECT_EQ(line_of(text, "a[1].b.missing"), 3);
  EXPECT_EQ(line_of(text, "none"), 1);
}

}  // namespace
}  // namespace holdfast
