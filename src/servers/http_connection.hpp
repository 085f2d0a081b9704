// An HTTP/1.1 connection to a server that never hangs: libcurl, with one connection that is kept until it is lost or
// closed. Connects on first use and again after a loss.
//
//   HttpConnection db({.host = "10.77.0.2", .port = 2379});
//   const HttpAnswer answer = db.ask({.method = "POST", .path = "/v3/kv/txn", .headers = {...}, .body = text});
//
// A request is sent once. libcurl would resend a request if the server closed the connection before any byte of an
// answer, but the server may have executed it. The second attempt is aborted before it is sent (see the source).
//
// The server is not trusted: answers are limited (store/transport.hpp), redirects are not followed, and no proxy is
// used.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "servers/http_message.hpp"
#include "store/session.hpp"

namespace holdfast {

// Signs each request as Amazon's services require it (AWS Signature Version 4).
struct HttpSigner {
  std::string scope;  // "aws:amz:us-east-1:s3"
  std::string user;
  std::string secret;
};

struct HttpAddress {
  std::string host;
  int port = 0;
  std::int64_t timeout_ms = 1000;
  std::optional<HttpSigner> signer{};
};

class HttpConnection {
 public:
  static std::string library_missing();  // why libcurl cannot be loaded, and the remedy; empty: it can
  explicit HttpConnection(HttpAddress address);
  ~HttpConnection();
  HttpConnection(HttpConnection&&) noexcept;

  // Throws StatementFailed: definite if no byte of the request was sent.
  HttpAnswer ask(const HttpRequest& request);
  void close();
  std::uint64_t id() const { return id_; }  // the local port, since HTTP has no connection numbers; 0: not connected

 private:
  struct Handle;
  [[noreturn]] void fail(const std::string& path, int code, const std::string& passed);

  HttpAddress address_;
  std::unique_ptr<Handle> handle_;
  std::uint64_t id_ = 0;
};

}  // namespace holdfast
