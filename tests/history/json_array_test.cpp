// A history as one JSON array, and its difference from EDN's vector.
#include "history/json_array.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <nlohmann/json.hpp>

#include "artifact/error.hpp"
#include "history/open_history.hpp"
#include "tests/history/text_on_disk.hpp"

namespace holdfast {
namespace {

const std::string kArrayAsk = R"({"process":1,"type":"invoke","f":"acquire","key":"a ] } \" ["})";
const std::string kArrayGot = R"({"process":1,"type":"ok","f":"acquire","token":[1],"token":2})";

// "acquire acquire" of what was read; or what is said instead, without the file's name.
std::string read_as_history(const std::string& text) {
  const TextOnDisk file(text);
  std::string out;
  try {
    const auto source = open_history(file.path);
    for (Event event; source->next(event);)
      out += std::string(to_text(event.op)) + "@" + source->place().substr(file.path.size()) + " ";
  } catch (const BadInput& e) {
    return std::string(e.what()).substr(file.path.size());
  }
  return out;
}

TEST(JsonArray, IsDistinguishedFromEdn) {
  for (const char* text : {"[]", " [\n]", "[{\"a\":1}]", "\xEF\xBB\xBF[{\"", "[{}]", "[ { \"x"})
    EXPECT_TRUE(is_json_array(text)) << text;
  for (const char* text : {"", "[", "[{:type", "[{ :a 1}]", "{\"a\":[]}", "[1]", "[nil]", "; []"})
    EXPECT_FALSE(is_json_array(text)) << text;
}

TEST(JsonArray, IsReadAsAHistory) {
  const std::string got = R"({"process":1,"type":"ok","f":"acquire"})";
  EXPECT_EQ(read_as_history("[" + kArrayAsk + "," + got + "]"), "acquire@:1 acquire@:1 ");
  EXPECT_EQ(read_as_history("\xEF\xBB\xBF[\n  " + kArrayAsk +
                            ",\n\n  {\n\"process\":1,\n\"type\":\"ok\",\"f\":\"acquire\"\n}\n]\n"),
            "acquire@:2 acquire@:4 ")
      << "an event's place is where it begins";
}

TEST(JsonArray, ErrorsNameTheLine) {
  EXPECT_EQ(read_as_history("[]"), ": is an empty array: a history has at least one event");
  EXPECT_EQ(read_as_history("[\n" + kArrayAsk), ":2: the array was cut off: its closing ] is missing");
  EXPECT_EQ(read_as_history("[\n" + kArrayAsk + ","), ":2: the array was cut off: its closing ] is missing");
  EXPECT_EQ(read_as_history("[" + kArrayAsk.substr(0, 30)), ":1: the array was cut off: its closing ] is missing");
  EXPECT_EQ(read_as_history("[" + kArrayAsk + "\n" + kArrayAsk + "]"),
            ":2: expected , or ] after an element of the array");
  EXPECT_EQ(read_as_history("[" + kArrayAsk + ",\n7]"), ":2: expected an object: a history has one per event");
  EXPECT_EQ(read_as_history("[" + kArrayAsk + "]\nx"), ":2: text after the array's closing ]");
  EXPECT_EQ(read_as_history("[" + kArrayAsk + ",\n" + kArrayGot + "]"), ":2: token: duplicate key");
  EXPECT_EQ(read_as_history("[" + kArrayAsk + ",\n" + kArrayAsk + "]"),
            ":2: process 1 invokes acquire while its acquire is open");
  EXPECT_EQ(read_as_history("[{\"a\":]}]").find(":1: broken JSON at column"), 0U);
}

// Whatever stands between quotes, and however deep: the elements are those that a general parser finds.
RC_GTEST_PROP(JsonArray, GivesTheElementsOfAnyArray, ()) {
  const auto texts = *rc::gen::container<std::vector<std::string>>(rc::gen::string<std::string>());
  auto array = nlohmann::json::array();
  for (const std::string& text : texts) {
    const std::string safe = nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    array.push_back({{"a", nlohmann::json::parse(safe)}, {"b", {{"[", nlohmann::json::array({safe, "]"})}}}});
  }
  const TextOnDisk file(array.dump(*rc::gen::element(-1, 0, 2)));
  JsonArray in(file.path);
  std::size_t count = 0;
  for (std::string_view element; in.next(element); ++count) RC_ASSERT(nlohmann::json::parse(element) == array[count]);
  RC_ASSERT(count == array.size());
}

TEST(JsonArray, OtherFilesAreNamed) {
  EXPECT_NE(
      read_as_history("{\n\"locks\": [\"get_lock\"]}").find(": is a scenario, not a history; remedy: holdfast run "),
      std::string::npos);
  EXPECT_NE(read_as_history(R"({"locks": ["get_lock"], "faults": []})").find("is a scenario"), std::string::npos)
      << "on one line";
  EXPECT_EQ(read_as_history("{\"holdfast_run\": 5,\n\"cells\": []}")
                .find(": describes a run, in which each trial has a history"),
            0U);
  EXPECT_EQ(read_as_history("{\"holdfast_plan\": 4,\n\"x\": []}"),
            ": is a plan; remedy: give the history.jsonl in the same folder");
  EXPECT_EQ(read_as_history("{\"name\": \"x\",\n\"command\": [\"y\"]}").find(": is the manifest of a lock"), 0U);
  EXPECT_EQ(
      read_as_history("{\n\"process\": 1, \"type\":\"invoke\",\"f\":\"acquire\"}").find(": is a single JSON object;"),
      0U);
  EXPECT_EQ(read_as_history("{\"process\": 1, \"type\":\"invoke\",\"f\":\"acquire\"}\n"), "acquire@:1 ")
      << "a history of one line";
}

}  // namespace
}  // namespace holdfast
