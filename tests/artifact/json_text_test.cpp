// JSON with positions: every mistake is named with file, line and key path; whatever the bytes, nothing but BadInput.
#include "artifact/json_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/refusal.hpp"

namespace holdfast {
namespace {

std::string parse_refusal(const std::string& text) {
  return refusal([&] { parse_json_text(text, "x.json"); });
}

TEST(JsonText, RemembersLinesAndPaths) {
  const JsonNode root = parse_json_text("{\n \"a\": [1,\n  {\"b\": true}],\n \"c\": 2.5}", "x.json");
  ASSERT_NE(root.find("a"), nullptr);
  const JsonNode& b = *root.find("a")->items.at(1).find("b");
  EXPECT_EQ(b.line, 3);
  EXPECT_EQ(b.path, "a[1].b");
  EXPECT_EQ(b.file, "x.json");
  EXPECT_TRUE(b.boolean);
  EXPECT_EQ(root.find("c")->line, 4);
  EXPECT_EQ(root.find("c")->real, 2.5);
  EXPECT_EQ(root.find("none"), nullptr);
}

TEST(JsonText, RefusesDuplicateKeysAtAnyDepth) {
  EXPECT_EQ(parse_refusal("{\"a\": 1,\n\"b\": 2,\n\"a\": 3}"), "x.json:3: a: duplicate key");
  EXPECT_EQ(parse_refusal("{\"f\": [{\"n\": 1,\n\"n\": 2}]}"), "x.json:2: f[0].n: duplicate key");
  EXPECT_EQ(parse_refusal("{\"a\": {\"n\": 1}, \"b\": {\"n\": 1}}"), "accepted");
}

TEST(JsonText, RefusesBrokenJsonNamingTheLine) {
  for (const char* broken :
       {"", " ", "{", "{\"a\":1", "{\"a\" 1}", "[1,]", "{\"a\":1}}", "nul", "1 2", "\"open", "{'a':1}", "[01]"}) {
    EXPECT_TRUE(contains(parse_refusal(broken), "x.json:1: not JSON: ")) << broken << ": " << parse_refusal(broken);
  }
  EXPECT_TRUE(contains(parse_refusal("{\n\n\"a\": ?}"), "x.json:3: not JSON: "));
  EXPECT_FALSE(contains(parse_refusal("{"), "json.exception")) << "the library's own words";
}

TEST(JsonText, NumbersThatDoNotFitAreRefused) {
  EXPECT_EQ(parse_json_text("9223372036854775807", "x").integer, INT64_MAX);
  EXPECT_EQ(parse_json_text("-9223372036854775808", "x").integer, INT64_MIN);
  EXPECT_EQ(parse_refusal("{\"a\": 9223372036854775808}"), "x.json:1: a: the number is too large");
  EXPECT_EQ(parse_refusal("1e999"), "x.json:1: the number is too large");
}

TEST(JsonText, TakesAByteOrderMarkAndUtf8AndRefusesOtherBytes) {
  EXPECT_EQ(parse_json_text("\xEF\xBB\xBF{\"k\": \"\xC3\xA9\"}", "x").find("k")->text, "\xC3\xA9");
  EXPECT_EQ(parse_json_text("\"\\u00e9\"", "x").text, "\xC3\xA9");
  EXPECT_TRUE(contains(parse_refusal("\"\xC3\""), "not JSON: "));
  EXPECT_TRUE(contains(parse_refusal("\"\xFF\xFE\""), "not JSON: "));
}

TEST(JsonText, RefusesDeepNestingOnly) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_EQ(parse_refusal(nested(64)), "accepted");
  EXPECT_TRUE(contains(parse_refusal(nested(65)), "nested too deeply"));
  EXPECT_TRUE(contains(parse_refusal(nested(200'000)), "nested too deeply"));
}

TEST(JsonText, MissingFileIsRefused) {
  EXPECT_TRUE(contains(refusal([] { read_text_file("/nonexistent/x.json"); }), "/nonexistent/x.json: cannot be read"));
}

nlohmann::json any_json(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 7 : 5)) {
    case 0:
      return nullptr;
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::arbitrary<std::int64_t>();
    case 3:
      return *rc::gen::arbitrary<double>();
    case 4:
      return *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
    case 5: {
      auto list = nlohmann::json::array();
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n) list.push_back(any_json(depth - 1));
      return list;
    }
    default: {
      auto object = nlohmann::json::object();
      for (int n = *rc::gen::inRange(0, 4); n > 0; --n) {
        object[*rc::gen::container<std::string>(rc::gen::inRange('a', 'z'))] = any_json(depth - 1);
      }
      return object;
    }
  }
}

// A terminal obeys some of these, and a reader sees none; the value stays what it was.
TEST(JsonText, EscapesHiddenCharacters) {
  const nlohmann::json value{{"a", "x\xE2\x80\xAEy\x7F\xC2\x9B"}, {"b", "\xF3\xA0\x81\x81"}};
  const std::string text = text_of_json(value);
  EXPECT_EQ(text, R"({"a":"x\u202Ey\u007F\u009B","b":"\uDB40\uDC41"})");
  EXPECT_EQ(nlohmann::json::parse(text), value);
  EXPECT_EQ(text_of_json(nlohmann::json("\xC3\xA9 \xE2\x80\xA6 \xF0\x9F\x94\x92")),
            "\"\xC3\xA9 \xE2\x80\xA6 \xF0\x9F\x94\x92\"");
}

RC_GTEST_PROP(JsonTextProperty, RoundTrip, ()) {
  const auto value = any_json(4);
  const int indent = *rc::gen::inRange(-1, 3);
  RC_ASSERT(to_json(parse_json_text(value.dump(indent), "x")) == value);
}

RC_GTEST_PROP(JsonTextProperty, AnyBytesAreReadOrRefused, ()) {
  const auto bytes = *rc::gen::arbitrary<std::string>();
  refusal([&] { parse_json_text(bytes, "x"); });  // any other exception fails the property
}

// Near misses find more than noise does.
RC_GTEST_PROP(JsonTextProperty, DamagedJsonIsReadOrRefused, ()) {
  std::string text = any_json(4).dump();
  const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
  text[at] = *rc::gen::arbitrary<char>();
  if (*rc::gen::arbitrary<bool>()) text.resize(at);
  refusal([&] { parse_json_text(text, "x"); });
}

}  // namespace
}  // namespace holdfast
