// Requests to an object store with Amazon's S3 interface, and the meaning of its answers for a session (session.hpp).
//
//   const S3Command command = file.bind("create", {{"key", "orders"}, ...});      // s3_file.hpp
//   const HttpAnswer answer = db.ask(s3_call(command));
//   const Reply reply = s3_reply(command, answer);
//
//   GET      a row, or none without such an object; it only reads. Fields: etag, body, date_s,
//            meta_expires
//   PUT      one change and a row; neither if the request's condition does not hold (412; 404 with If-Match).
//            Field: etag
//   DELETE   one change; none if the condition does not hold. A store also answers 204 if there was no object.
//
// `etag` has its quotes. `date_s` is the date of the answer, by the server's clock, in seconds since 1970.
// `meta_expires` is the object's metadata of that name (x-amz-meta-expires), which no ETag covers. The object's last
// modification is not offered: for a store of files it is the kernel's time, which neither faults nor skipped time
// change.
//
// 409 (a concurrent write interferes) and other 4xx are errors without an effect. 5xx throw StatementFailed: the
// request may have been executed. So does an answer that no store gives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "servers/http_message.hpp"
#include "store/session.hpp"

namespace holdfast {

struct S3Command {
  std::string method;                // GET, PUT or DELETE
  std::string path;                  // "/locks/orders", escaped
  std::vector<std::string> headers;  // "If-None-Match: *"
  std::string body;
  std::vector<std::string> answers;  // the fields of a row
};

HttpRequest s3_call(const S3Command& command);
Reply s3_reply(const S3Command& command, const HttpAnswer& answer);

// Fields of a row of an answer to such a request; throws BadInput for an unsupported method.
std::vector<std::string> s3_fields(const std::string& method);

// Code and message of an error answer, for display: "PreconditionFailed: At least one ...". Empty: it has none.
std::string s3_error_text(std::string_view body);

}  // namespace holdfast
