// Files of requests to an object store: names, methods, headers, parameters; and what is refused because a shell or a
// server would read it otherwise.
#include "servers/s3/s3_file.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"
#include "tests/refusal.hpp"

namespace holdfast {
namespace {

using S3Words = std::vector<std::string>;

S3File s3_requests_of(const std::string& command) {
  return S3File::parse("# name: c\n" + command, "x.s3");
}

std::string s3_refusal_of(const std::string& command) {
  return refusal([&] { s3_requests_of(command); });
}

TEST(S3File, NamesItsRequests) {
  const S3File file = S3File::parse(
      "key=a\ncurl() {\n  command curl \"$@\"\n}\n# name: two\ncurl \"$S3/locks/b\"\n\n# name: one\n"
      "curl -X DELETE \"$S3/locks/a\"\n",
      "x");
  EXPECT_EQ(file.names(), (S3Words{"one", "two"}));
  EXPECT_EQ(file.bind("one", {}).method, "DELETE");
  EXPECT_EQ(file.bind("two", {}).method, "GET");
  EXPECT_EQ(file.bind("two", {}).path, "/locks/b");
  EXPECT_TRUE(S3File::parse("curl x\n", "x").names().empty()) << "before the first name: a person's";
}

TEST(S3File, PutsParametersInPlace) {
  const S3File file =
      s3_requests_of("# answers: etag\ncurl -X PUT \"$S3/locks/$key\" -H \"If-Match: $etag\" -d \"$number $owner\"\n");
  EXPECT_EQ(file.parameters("c"), (S3Words{"key", "etag", "number", "owner"})) << "the store's address is none";
  const S3Command command = file.bind("c", {{"key", std::string("a /b?\xc3\xa9")},
                                            {"etag", std::string("\"1\"")},
                                            {"number", std::uint64_t{7}},
                                            {"owner", std::string("me\n\"'")}});
  EXPECT_EQ(command.path, "/locks/a%20%2Fb%3F%C3%A9");
  EXPECT_EQ(command.headers, S3Words{"If-Match: \"1\""});
  EXPECT_EQ(command.body, "7 me\n\"'");
  EXPECT_EQ(command.answers, S3Words{"etag"});
  EXPECT_THROW(file.bind("c", {{"key", std::string("a")}}), std::logic_error);
  EXPECT_THROW(file.bind("d", {}), std::logic_error);
}

TEST(S3File, NoValueAddsAHeader) {
  const S3File file = s3_requests_of("curl \"$S3/a\" -H \"If-Match: $etag\"\n");
  EXPECT_EQ(refusal([&] { file.bind("c", {{"etag", std::string("1\r\nX: y")}}); }), "a header has a control character");
}

TEST(S3File, RefusesWithTheLine) {
  EXPECT_EQ(s3_refusal_of("curl \"$S3/a\"\n"), "accepted");
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"curl \"$S3/a\"\ncurl \"$S3/b\"\n", "x.s3:3: 'c' has a second command"},
      {"", "'c' has no command"},
      {"curl \"$S3/a\"\n# name: c\n", "x.s3:3: each command needs a new name"},
      {"wget \"$S3/a\"\n", "x.s3:2: a command begins with curl"},
      {"curl\n", "the URL is missing"},
      {"curl \"http://a/b\"\n", "a URL begins with \"$S3/\""},
      {"curl \"$S3/a\" \"$S3/b\"\n", "a command has one URL"},
      {"curl $S3/a\n", "put the word into double quotes"},
      {"curl \"$S3/a\" -H \"If-Match: `id`\"\n", "'`' is not allowed here"},
      {"curl \"$S3/a\" -H x\n", "write -H \"Name: value\""},
      {"curl \"$S3/a\" -H\n", "-H: a value must follow"},
      {"curl \"$S3/a\" -L\n", "unknown option '-L'"},
      {"curl -X PATCH \"$S3/a\"\n", "unknown method 'PATCH'"},
      {"curl -X PUT \"$S3/a\"\n", "PUT needs it"},
      {"curl \"$S3/a\" -d x\n", "-d belongs to PUT"},
      {"curl -X PUT \"$S3/a\" -d \"@file\"\n", "does not begin with @"},
      {"curl \"$S3/$1\"\n", "a parameter is named by letters"},
      {"curl \"$S3/a\n", "a quote has no end"},
      {"# answers: mtime\ncurl \"$S3/a\"\n", "mtime"},
  };
  for (const auto& [command, why] : wrong) {
    EXPECT_NE(s3_refusal_of(command).find(why), std::string::npos) << command << s3_refusal_of(command);
  }
}

}  // namespace
}  // namespace holdfast
