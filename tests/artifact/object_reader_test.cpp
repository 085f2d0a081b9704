// Reading the keys of an object that people wrote: types, bounds, and unknown keys.
#include <gtest/gtest.h>

#include "artifact/json_text.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

template <typename Read>
std::string read_refusal(const std::string& text, const Read& read) {
  return refusal([&] {
    const JsonNode root = parse_json_text(text, "x.json");
    ObjectReader in(root);
    read(in);
    in.finish();
  });
}

TEST(ObjectReader, GivesValuesAndNothingForAbsentKeys) {
  const JsonNode root =
      parse_json_text(R"({"i": 3, "r": 1.5, "w": 2, "b": true, "t": "x", "c": "red", "l": ["p", "q"]})", "x.json");
  ObjectReader in(root);
  EXPECT_EQ(in.integer("i", 0, 3), 3);
  EXPECT_EQ(in.real("r", 0, 2), 1.5);
  EXPECT_EQ(in.real("w", 0, 2), 2.0);
  EXPECT_EQ(in.boolean("b"), true);
  EXPECT_EQ(in.text("t"), "x");
  EXPECT_EQ(in.choice("c", {"red", "blue"}), "red");
  EXPECT_EQ(in.texts("l"), (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(in.integer("absent", 0, 3), std::nullopt);
  EXPECT_EQ(in.texts("absent"), std::nullopt);
  in.finish();
}

TEST(ObjectReader, RefusesOtherTypes) {
  EXPECT_EQ(read_refusal("[1]", [](ObjectReader&) {}), "x.json:1: expected an object, found an array");
  EXPECT_EQ(read_refusal("{\n\"n\": \"3\"}", [](ObjectReader& in) { in.integer("n", 0, 9); }),
            "x.json:2: n: expected an integer, found a string");
  EXPECT_EQ(read_refusal(R"({"n": 3.0})", [](ObjectReader& in) { in.integer("n", 0, 9); }),
            "x.json:1: n: expected an integer, found a number");
  EXPECT_EQ(read_refusal(R"({"n": null})", [](ObjectReader& in) { in.text("n"); }),
            "x.json:1: n: expected a string, found null");
  EXPECT_EQ(read_refusal(R"({"n": 1})", [](ObjectReader& in) { in.boolean("n"); }),
            "x.json:1: n: expected true or false, found an integer");
  EXPECT_EQ(read_refusal(R"({"n": ["a", 2]})", [](ObjectReader& in) { in.texts("n"); }),
            "x.json:1: n[1]: expected a string, found an integer");
}

TEST(ObjectReader, RefusesNumbersOutOfBounds) {
  const auto read = [](ObjectReader& in) { in.integer("n", 1, 200); };
  EXPECT_EQ(read_refusal(R"({"n": 1})", read), "accepted");
  EXPECT_EQ(read_refusal(R"({"n": 200})", read), "accepted");
  EXPECT_EQ(read_refusal(R"({"n": 0})", read), "x.json:1: n: must be from 1 to 200");
  EXPECT_EQ(read_refusal(R"({"n": 201})", read), "x.json:1: n: must be from 1 to 200");
  EXPECT_TRUE(contains(read_refusal(R"({"n": 1.1})", [](ObjectReader& in) { in.real("n", 0, 1); }), "must be from 0"));
}

TEST(ObjectReader, NamesTheMissingKey) {
  EXPECT_EQ(read_refusal("{}", [](ObjectReader& in) { in.required("lock", in.text("lock")); }),
            "x.json:1: 'lock' is missing");
}

TEST(ObjectReader, RefusesUnreadKeysWithASuggestion) {
  const auto read = [](ObjectReader& in) { in.integer("lease_ms", 0, 9), in.text("about"); };
  EXPECT_EQ(read_refusal(R"({"lease_ms": 1, "about": "x"})", read), "accepted");
  EXPECT_EQ(read_refusal("{\n\n\"leas_ms\": 1}", read),
            "x.json:3: leas_ms: unknown key 'leas_ms' (did you mean 'lease_ms'?); known: about, lease_ms");
  EXPECT_EQ(read_refusal(R"({"zzzzzzzz": 1})", read),
            "x.json:1: zzzzzzzz: unknown key 'zzzzzzzz'; known: about, lease_ms");
}

TEST(ObjectReader, RefusesUnknownChoice) {
  EXPECT_EQ(read_refusal(R"({"when": "befor"})",
                         [](ObjectReader& in) {
                           in.choice("when", {"before", "after"});
                         }),
            "x.json:1: when: unknown when 'befor' (did you mean 'before'?); known: before, after");
}

TEST(Nearest, FindsTyposOnly) {
  const std::vector<std::string> words{"pause", "client_skew"};
  EXPECT_EQ(nearest("puase", words), "pause");
  EXPECT_EQ(nearest("clientskew", words), "client_skew");
  EXPECT_EQ(nearest("partition", words), "");
  EXPECT_EQ(nearest(std::string(1'000'000, 'p'), words), "") << "and does so quickly";
}

}  // namespace
}  // namespace holdfast
