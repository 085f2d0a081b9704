// Lines of the conversation: what is read is what was written, and every mistake has one clear error with the line.
#include "adapter/adapter_message.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "adapter/message_rows.hpp"
#include "artifact/visible.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

std::string line_refusal(const std::string& line) {
  try {
    read_adapter_line(line);
  } catch (const BadMessage& wrong) {
    return wrong.what();
  }
  return "accepted";
}

// Sets a field to something of its type.
struct FillField {
  const MessageField& field;
  AdapterMessage& message;
  std::string word() const { return field.words.empty() ? "x \"y\" \xC3\xA9" : field.words.back(); }
  void operator()(std::optional<std::int64_t> AdapterMessage::*member) const { message.*member = field.bounds.most; }
  void operator()(std::optional<std::uint64_t> AdapterMessage::*member) const { message.*member = UINT64_MAX; }
  void operator()(std::optional<std::string> AdapterMessage::*member) const { message.*member = word(); }
  void operator()(std::optional<std::vector<std::string>> AdapterMessage::*member) const {
    message.*member = {word(), word()};
  }
  void operator()(std::optional<std::vector<AdapterServer>> AdapterMessage::*member) const {
    message.*member = {{"redis", "lock", "10.0.0.2", 65535}};
  }
  void operator()(std::optional<bool> AdapterMessage::*member) const { message.*member = false; }
  void operator()(std::optional<std::vector<AssertionName>> AdapterMessage::*member) const {
    message.*member = {{AssertionKind::sometimes, word()}, {AssertionKind::reached, "a"}};
  }
  void operator()(std::optional<nlohmann::json> AdapterMessage::*member) const {
    message.*member = nlohmann::json{{"a", {1, 2}}};
  }
};

AdapterMessage filled(const MessageRow& row, bool all) {
  AdapterMessage message;
  message.name = row.name;
  for (const MessageField& field : row.fields) {
    if (all || field.required) std::visit(FillField{field, message}, field.member);
  }
  return message;
}

AdapterMessage read_again(const MessageRow& row, const std::string& line) {
  return row.direction == Direction::request ? read_request_line(line) : read_adapter_line(line);
}

TEST(AdapterMessages, RoundTrip) {
  for (const MessageRow& row : message_rows()) {
    for (const bool all : {false, true}) {
      const std::string line = to_line(filled(row, all));
      EXPECT_EQ(to_line(read_again(row, line)), line);
      EXPECT_EQ(read_again(row, line).name, row.name);
      for (const MessageField& field : row.fields) {
        const bool there = nlohmann::json::parse(line).contains(field.name);
        EXPECT_EQ(there, all || field.required) << line << field.name;
      }
    }
  }
}

TEST(AdapterMessages, ReadingNeedsRequiredFields) {
  for (const MessageRow& row : message_rows()) {
    for (const MessageField& field : row.fields) {
      nlohmann::json json = nlohmann::json::parse(to_line(filled(row, true)));
      json.erase(field.name);
      const auto read = [&] { read_again(row, json.dump()); };
      if (field.required) {
        EXPECT_THROW(read(), BadMessage) << json;
      } else {
        EXPECT_NO_THROW(read()) << json;
      }
      json[field.name] = nullptr;
      EXPECT_THROW(read(), BadMessage) << json;
    }
  }
}

TEST(AdapterMessages, WritingNeedsRequiredFields) {
  AdapterMessage message;
  message.name = MessageName::pulse;
  EXPECT_THROW(to_line(message), std::logic_error);
}

TEST(AdapterMessages, ErrorsNameTheMistakeAndShowTheLine) {
  EXPECT_EQ(
      line_refusal("hello world"),
      "not a message: not JSON: syntax error while parsing value - invalid literal; last read: 'h'; the line: hello "
      "world");
  EXPECT_EQ(line_refusal(""), "not a message: not JSON: the text is empty; the line: (an empty line)");
  EXPECT_EQ(line_refusal("[1]"), "not a message: expected an object, found a list; the line: [1]");
  EXPECT_EQ(line_refusal(R"({"n":1})"), R"(not a message: 'is' is missing; the line: {"n":1})");
  EXPECT_TRUE(contains(line_refusal(R"({"is":"OK","n":1})"), "unknown word 'OK'"));
  EXPECT_TRUE(contains(line_refusal(R"({"is":"bsy","n":1})"), "(did you mean 'busy'?)"));
  EXPECT_TRUE(contains(line_refusal(R"({"is":"acquire","n":1})"), "unknown word 'acquire'"));
  EXPECT_TRUE(
      contains(line_refusal(R"({"is":"ok","n":1,"tokn":3})"), "ok: unknown key 'tokn' (did you mean 'token'?)"));
  EXPECT_TRUE(contains(line_refusal(R"({"is":"ok","n":"1"})"), "n: expected a whole number, found a text"));
  EXPECT_TRUE(contains(line_refusal(R"({"is":"ok","n":1.0})"), "found a fraction"));
  EXPECT_TRUE(contains(line_refusal(R"({"is":"ok","n":-1})"), "n: must be from 0 to"));
  EXPECT_TRUE(contains(line_refusal(R"({"is":"ok","n":18446744073709551615})"), "n: must be from 0 to"));
  EXPECT_TRUE(contains(line_refusal(R"({"is":"ok","n":1,"n":2})"), "duplicate key"));
  EXPECT_TRUE(contains(line_refusal(R"({"is":"ok","n":1,"token":"1x"})"), "token: expected digits"));
  EXPECT_TRUE(contains(line_refusal(R"({"is":"ready","v":1,"name":"a","version":"","can":["fly"]})"),
                       "can[0]: unknown word 'fly'"));
  EXPECT_TRUE(contains(line_refusal(R"({"is":"lost","lock":["a"]})"), "lock: expected a text, found a list"));
  EXPECT_TRUE(contains(line_refusal("{\"is\":\"log\",\"text\":\"\xFF\"}"), "not UTF-8 at byte 21"));
  const std::string half = line_refusal("{\"is\":\xC3\xA9}");  // the parser quotes its first byte
  EXPECT_EQ(valid_utf8(half), half);
}

TEST(AdapterMessages, AssertionsAreBounded) {
  const auto always = [](const std::string& name, const std::string& more) {
    return line_refusal(R"({"is":"always","name":)" + name + R"(,"holds":true)" + more + "}");
  };
  EXPECT_EQ(always('"' + std::string(100, 'a') + '"', R"(,"count":1000000,"why":"b")"), "accepted");
  EXPECT_TRUE(contains(always('"' + std::string(101, 'a') + '"', ""), "always: name: expected 1 to 100 bytes"));
  EXPECT_TRUE(contains(always(R"("")", ""), "name: expected 1 to 100 bytes"));
  EXPECT_TRUE(contains(always(R"("a\nb")", ""), "name: expected one line without control characters"));
  EXPECT_TRUE(contains(always(R"("a")", R"(,"count":0)"), "count: must be from 1 to"));
  EXPECT_TRUE(contains(line_refusal(R"({"is":"always","name":"a","holds":1})"), "holds: expected true or false"));
  EXPECT_TRUE(contains(line_refusal(R"({"is":"sometimes","name":"a"})"), "sometimes: 'holds' is missing"));
  EXPECT_TRUE(contains(line_refusal(R"({"is":"reached","name":"a","holds":true})"), "reached: unknown key 'holds'"));
}

TEST(AdapterMessages, ReadyAnnouncesAssertions) {
  const auto ready = [](const std::string& list) {
    return line_refusal(R"({"is":"ready","v":1,"name":"a","version":"","can":[],"assertions":)" + list + "}");
  };
  EXPECT_EQ(ready(R"([{"kind":"sometimes","name":"a retry"}])"), "accepted");
  EXPECT_TRUE(contains(ready(R"([{"kind":"never","name":"a"}])"), "assertions[0].kind: unknown word 'never'"));
  EXPECT_TRUE(contains(ready(R"([{"kind":"always"}])"), "assertions[0]: 'name' is missing"));
  EXPECT_TRUE(contains(ready(R"([{"kind":"always","name":"a","of":1}])"), "assertions[0]: unknown key 'of'"));
  EXPECT_TRUE(contains(ready(R"(["a"])"), "assertions[0]: expected an object, found a text"));
  std::string many = "[";
  for (int i = 0; i <= 100; ++i) many += std::string(i == 0 ? "" : ",") + R"({"kind":"always","name":"a"})";
  EXPECT_TRUE(contains(ready(many + "]"), "assertions: at most 100"));
}

// However a line's characters lie where it is clipped.
TEST(AdapterMessages, ShownLinesKeepWholeCharacters) {
  for (std::size_t before = 0; before < 4; ++before) {
    std::string line(before, 'a');
    for (int n = 0; n < 400; ++n) line += "\xF0\x9F\x94\x92";
    const std::string shown = shown_line(line);
    EXPECT_EQ(valid_utf8(shown), shown);
    EXPECT_EQ(shown.find("\xEF\xBF\xBD"), std::string::npos) << shown;
    EXPECT_LT(shown.size(), line.size());
  }
}

TEST(AdapterMessages, HaveLimits) {
  const auto log = [](std::size_t bytes) { return R"({"is":"log","text":")" + std::string(bytes, 'a') + R"("})"; };
  const std::size_t around = log(0).size();
  EXPECT_EQ(line_refusal(log(kLongestMessage - around)), "accepted");
  const std::string refused = line_refusal(log(kLongestMessage - around + 1));
  EXPECT_TRUE(contains(refused, "longer than 65536 bytes")) << refused;
  EXPECT_LT(refused.size(), 400U) << "the line is clipped";
  EXPECT_TRUE(contains(line_refusal(std::string(60'000, '[')), "nested too deeply"));
  EXPECT_EQ(line_refusal(R"({"is":"log","text":"[[[[[[[[[[[\"[[[["})"), "accepted") << "brackets in a text are none";
}

TEST(AdapterMessages, TokensMayBeDigitStrings) {
  EXPECT_EQ(read_adapter_line(R"({"is":"ok","n":1,"token":7})").token, 7U);
  EXPECT_EQ(read_adapter_line(R"({"is":"ok","n":1,"token":"18446744073709551615"})").token, UINT64_MAX);
}

TEST(AdapterMessages, SchemaAndTableHaveTheSameRows) {
  const Schema schema = adapter_schema();
  const std::string table = adapter_table();
  for (const MessageRow& row : message_rows()) {
    ASSERT_TRUE(schema.at("definitions").contains(row.word));
    EXPECT_EQ(schema.at("definitions").at(row.word).at("properties").size(), row.fields.size() + 1);
    EXPECT_TRUE(contains(table, std::string("| `") + row.word + "` |")) << table;
    EXPECT_EQ(&row_of(row.name), &row);
    if (*row.can != '\0') {
      EXPECT_TRUE(contains(table, std::string("| `") + row.can + "` | "));
    }
  }
}

}  // namespace
}  // namespace holdfast
