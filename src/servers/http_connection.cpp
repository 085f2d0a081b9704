#include "servers/http_connection.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "artifact/error.hpp"
#include "servers/late_library.hpp"
#include "store/transport.hpp"

namespace holdfast {
namespace {

namespace late {

constinit LateLibrary libcurl("libcurl.so.4", "apt-get install libcurl4");
constinit LateFunction<decltype(::curl_easy_cleanup)> curl_easy_cleanup(libcurl, "curl_easy_cleanup");
constinit LateFunction<decltype(::curl_easy_getinfo)> get_info(libcurl, "curl_easy_getinfo");
constinit LateFunction<decltype(::curl_easy_init)> curl_easy_init(libcurl, "curl_easy_init");
constinit LateFunction<decltype(::curl_easy_perform)> curl_easy_perform(libcurl, "curl_easy_perform");
constinit LateFunction<decltype(::curl_easy_reset)> curl_easy_reset(libcurl, "curl_easy_reset");
constinit LateFunction<decltype(::curl_easy_setopt)> set_option(libcurl, "curl_easy_setopt");
constinit LateFunction<decltype(::curl_easy_strerror)> curl_easy_strerror(libcurl, "curl_easy_strerror");
constinit LateFunction<decltype(::curl_global_init)> curl_global_init(libcurl, "curl_global_init");
constinit LateFunction<decltype(::curl_slist_append)> curl_slist_append(libcurl, "curl_slist_append");
constinit LateFunction<decltype(::curl_slist_free_all)> curl_slist_free_all(libcurl, "curl_slist_free_all");

}  // namespace late

constexpr std::size_t kMostOfHeaders = std::size_t{64} << 10U;

// Buffers of a request and its answer for libcurl.
struct Exchange {
  const std::string* body = nullptr;
  std::size_t sent = 0;
  int attempts = 0;
  HttpAnswer answer;
  AnswerLimit limit{kMostOfAnswer};
  AnswerLimit headers{kMostOfHeaders};
};

std::size_t read_body(char* to, std::size_t size, std::size_t count, void* data) {
  auto& exchange = *static_cast<Exchange*>(data);
  const std::size_t part = std::min(size * count, exchange.body->size() - exchange.sent);
  std::copy_n(exchange.body->data() + exchange.sent, part, to);
  exchange.sent += part;
  return part;
}

std::size_t take_body(const char* from, std::size_t size, std::size_t count, void* data) {
  auto& exchange = *static_cast<Exchange*>(data);
  const std::size_t part = size * count;
  if (!exchange.limit.take(part)) return 0;
  exchange.answer.body.append(from, part);
  return part;
}

std::size_t take_header(const char* from, std::size_t size, std::size_t count, void* data) {
  auto& exchange = *static_cast<Exchange*>(data);
  const std::string line(from, size * count);
  if (!exchange.limit.take(line.size()) || !exchange.headers.take(line.size())) return 0;
  const auto colon = line.find(':');
  if (colon == std::string::npos) return line.size();
  std::string name = line.substr(0, colon);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto first = line.find_first_not_of(" \t", colon + 1);
  const auto last = line.find_last_not_of(" \t\r\n");
  const bool empty = first == std::string::npos || last == std::string::npos || last < first;
  exchange.answer.headers[name] = empty ? "" : line.substr(first, last - first + 1);
  return line.size();
}

// Called whenever libcurl is about to send the request on a connection.
int before_request(void* data, char*, char*, int, int) {
  return ++static_cast<Exchange*>(data)->attempts > 1 ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK;
}

void set_transport(CURL* curl, const HttpAddress& address, Exchange& exchange) {
  late::set_option(curl, CURLOPT_PROTOCOLS_STR, "http");
  late::set_option(curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  late::set_option(curl, CURLOPT_NOPROXY, "*");
  late::set_option(curl, CURLOPT_NOSIGNAL, 1L);
  late::set_option(curl, CURLOPT_MAXCONNECTS, 1L);
  late::set_option(curl, CURLOPT_PATH_AS_IS, 1L);
  late::set_option(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(address.timeout_ms));
  late::set_option(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(address.timeout_ms));
  late::set_option(curl, CURLOPT_WRITEFUNCTION, take_body);
  late::set_option(curl, CURLOPT_WRITEDATA, &exchange);
  late::set_option(curl, CURLOPT_HEADERFUNCTION, take_header);
  late::set_option(curl, CURLOPT_HEADERDATA, &exchange);
  late::set_option(curl, CURLOPT_PREREQFUNCTION, before_request);
  late::set_option(curl, CURLOPT_PREREQDATA, &exchange);
  if (!address.signer) return;
  late::set_option(curl, CURLOPT_AWS_SIGV4, address.signer->scope.c_str());
  late::set_option(curl, CURLOPT_USERNAME, address.signer->user.c_str());
  late::set_option(curl, CURLOPT_PASSWORD, address.signer->secret.c_str());
}

// CURLOPT_SEEKFUNCTION is deliberately not set: with it libcurl could rewind the body and send it a second time.
void set_method(CURL* curl, const HttpRequest& request, Exchange& exchange) {
  const auto size = static_cast<curl_off_t>(request.body.size());
  if (request.method == "GET") {
    late::set_option(curl, CURLOPT_HTTPGET, 1L);
    return;
  }
  if (request.method == "POST") {
    late::set_option(curl, CURLOPT_POST, 1L);
    late::set_option(curl, CURLOPT_POSTFIELDSIZE_LARGE, size);
  } else if (request.method == "PUT") {
    late::set_option(curl, CURLOPT_UPLOAD, 1L);
    late::set_option(curl, CURLOPT_INFILESIZE_LARGE, size);
  } else {
    late::set_option(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
  }
  exchange.body = &request.body;
  late::set_option(curl, CURLOPT_READFUNCTION, read_body);
  late::set_option(curl, CURLOPT_READDATA, &exchange);
}

}  // namespace

struct HttpConnection::Handle {
  CURL* curl = nullptr;
  curl_slist* headers = nullptr;

  Handle() {
    static const CURLcode kReady = late::curl_global_init(CURL_GLOBAL_DEFAULT);
    curl = late::curl_easy_init();
    if (kReady != CURLE_OK || curl == nullptr) throw HarnessError("libcurl cannot be used");
  }
  ~Handle() {
    late::curl_easy_cleanup(curl);
    late::curl_slist_free_all(headers);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  void set_headers(const std::vector<std::string>& lines) {
    late::curl_slist_free_all(headers);
    headers = nullptr;
    for (const auto& line : lines) add(line);
    add("Expect:");  // otherwise it waits for a 100 Continue
    late::set_option(curl, CURLOPT_HTTPHEADER, headers);
  }
  void add(const std::string& line) {
    curl_slist* longer = late::curl_slist_append(headers, line.c_str());
    if (longer == nullptr) throw HarnessError("libcurl has no memory for a header");
    headers = longer;
  }
};

std::string HttpConnection::library_missing() {
  return late::libcurl.missing();
}

HttpConnection::HttpConnection(HttpAddress address) : address_(std::move(address)) {}
HttpConnection::~HttpConnection() = default;
HttpConnection::HttpConnection(HttpConnection&&) noexcept = default;

HttpAnswer HttpConnection::ask(const HttpRequest& request) {
  if (!handle_) handle_ = std::make_unique<Handle>();
  CURL* curl = handle_->curl;
  Exchange exchange;
  late::curl_easy_reset(curl);  // keeps the connection
  const std::string url = "http://" + address_.host + ":" + std::to_string(address_.port) + request.path;
  late::set_option(curl, CURLOPT_URL, url.c_str());
  set_transport(curl, address_, exchange);
  set_method(curl, request, exchange);
  handle_->set_headers(request.headers);
  const CURLcode code = late::curl_easy_perform(curl);
  if (code != CURLE_OK) {
    fail(request.path, code, exchange.headers.passed().empty() ? exchange.limit.passed() : exchange.headers.passed());
  }
  long port = 0;
  late::get_info(curl, CURLINFO_RESPONSE_CODE, &exchange.answer.status);
  late::get_info(curl, CURLINFO_LOCAL_PORT, &port);
  id_ = static_cast<std::uint64_t>(port);
  return std::move(exchange.answer);
}

void HttpConnection::fail(const std::string& path, int code, const std::string& passed) {
  long sent = 0;
  late::get_info(handle_->curl, CURLINFO_REQUEST_SIZE, &sent);
  std::string why = passed.empty() ? late::curl_easy_strerror(static_cast<CURLcode>(code)) : passed;
  if (code == CURLE_ABORTED_BY_CALLBACK) why = "the connection was lost before an answer";
  close();
  const Reason reason = code == CURLE_OPERATION_TIMEDOUT ? Reason::timeout : Reason::unavailable;
  const bool nothing_sent = sent == 0;
  throw StatementFailed(nothing_sent, nothing_sent ? Reason::unavailable : reason, 0,
                        address_.host + path + ": " + why);
}

void HttpConnection::close() {
  handle_.reset();
  id_ = 0;
}

}  // namespace holdfast
