// Requests to an object store, and the meaning of its answers at the seam.
#include "servers/s3/s3_request.hpp"

#include <gtest/gtest.h>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr const char* kEmptySha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

S3Command store_command(const std::string& method, std::vector<std::string> headers = {}) {
  return {method, "/locks/a", std::move(headers), "", s3_fields(method)};
}

HttpAnswer store_answer(long status, const std::string& body = "", std::map<std::string, std::string> headers = {}) {
  return {status, body, std::move(headers)};
}

std::string error_body(const std::string& code) {
  return "<?xml version=\"1.0\"?>\n<Error><Code>" + code + "</Code><Message>Text.</Message></Error>";
}

TEST(S3Request, SignsTheContent) {
  const HttpRequest call = s3_call(store_command("PUT", {"If-None-Match: *"}));
  EXPECT_EQ(call.method + call.path, "PUT/locks/a");
  EXPECT_EQ(call.headers,
            (std::vector<std::string>{"If-None-Match: *", std::string("x-amz-content-sha256: ") + kEmptySha256}));
}

TEST(S3Request, AnswersInTheWordsOfASession) {
  const Reply read = s3_reply(
      store_command("GET"),
      store_answer(200, "1 me",
                   {{"etag", "\"0c\""}, {"date", "Thu, 01 Jan 1970 00:00:09 GMT"}, {"x-amz-meta-expires", "12"}}));
  EXPECT_TRUE(read.only_read);
  EXPECT_EQ(read.evidence(), 0);
  EXPECT_EQ(read.text(0, 0) + " " + read.text(0, 1) + " " + read.text(0, 2) + " " + read.text(0, 3),
            "\"0c\" 1 me 9 12");
  const Reply missing = s3_reply(store_command("GET"), store_answer(404, error_body("NoSuchKey")));
  EXPECT_TRUE(missing.ok() && missing.rows.empty());
  const Reply written = s3_reply(store_command("PUT"), store_answer(200, "", {{"etag", "\"0c\""}}));
  EXPECT_EQ(written.evidence(), 1);
  EXPECT_EQ(written.text(0, 0), "\"0c\"");
  EXPECT_EQ(s3_reply(store_command("DELETE"), store_answer(204)).affected, 1);
}

TEST(S3Request, AConditionThatDoesNotHoldChangesNothing) {
  for (const auto& [method, status, code] :
       std::vector<std::tuple<std::string, long, std::string>>{{"PUT", 412, "PreconditionFailed"},
                                                               {"PUT", 404, "NoSuchKey"},
                                                               {"DELETE", 412, "PreconditionFailed"},
                                                               {"DELETE", 404, "NoSuchKey"}}) {
    const Reply reply = s3_reply(store_command(method, {"If-Match: \"1\""}), store_answer(status, error_body(code)));
    EXPECT_TRUE(reply.ok() && reply.rows.empty() && reply.affected == 0) << method << status;
  }
}

TEST(S3Request, ErrorIsDefiniteOnlyIfNothingWasDone) {
  const Reply conflict = s3_reply(store_command("PUT"), store_answer(409, error_body("ConditionalRequestConflict")));
  EXPECT_TRUE(conflict.conflict());
  EXPECT_EQ(conflict.message, "HTTP status 409, ConditionalRequestConflict: Text.");
  const Reply no_bucket = s3_reply(store_command("GET"), store_answer(404, error_body("NoSuchBucket")));
  EXPECT_FALSE(no_bucket.ok()) << "not the same as a missing object";
  EXPECT_FALSE(s3_reply(store_command("PUT"), store_answer(404, error_body("NoSuchKey"))).ok()) << "without If-Match";
  EXPECT_FALSE(s3_reply(store_command("PUT"), store_answer(403)).ok());
  for (const long status : {500L, 503L, 100L, 301L, 0L}) {
    try {
      s3_reply(store_command("PUT"), store_answer(status, error_body("SlowDown")));
      ADD_FAILURE() << status << ": no failure";
    } catch (const StatementFailed& failed) {
      EXPECT_FALSE(failed.definite) << status;
    }
  }
}

TEST(S3Request, ForeignAnswerIsRefused) {
  EXPECT_THROW(s3_reply(store_command("PUT"), store_answer(200)), StatementFailed) << "no ETag";
  EXPECT_THROW(s3_reply(store_command("GET"), store_answer(200, "", {{"etag", "1"}, {"date", "soon"}})),
               StatementFailed);
  EXPECT_EQ(s3_error_text("<Code>"), "");
  EXPECT_EQ(s3_error_text("<Code></Code>"), "");
  EXPECT_EQ(s3_error_text("<Code>" + std::string(5000, 'a') + "</Code>").size(), 200U);
}

TEST(HttpDate, IsReadOrRefused) {
  EXPECT_EQ(http_date_s("Thu, 01 Jan 1970 00:00:09 GMT"), 9);
  for (const char* wrong : {"", "1970", "Thu, 01 Jan 1970 00:00:09", "Thu, 01 Jan 1970 00:00:09 GMT+1"}) {
    EXPECT_EQ(http_date_s(wrong), -1) << wrong;
  }
}

}  // namespace
}  // namespace holdfast
