#include "servers/etcd/etcd_connection.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <utility>

#include "artifact/error.hpp"
#include "servers/etcd/etcd_request.hpp"
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
constinit LateFunction<decltype(::curl_easy_setopt)> set_option(libcurl, "curl_easy_setopt");
constinit LateFunction<decltype(::curl_easy_strerror)> curl_easy_strerror(libcurl, "curl_easy_strerror");
constinit LateFunction<decltype(::curl_getdate)> curl_getdate(libcurl, "curl_getdate");
constinit LateFunction<decltype(::curl_global_init)> curl_global_init(libcurl, "curl_global_init");
constinit LateFunction<decltype(::curl_slist_append)> curl_slist_append(libcurl, "curl_slist_append");
constinit LateFunction<decltype(::curl_slist_free_all)> curl_slist_free_all(libcurl, "curl_slist_free_all");

}  // namespace late

// Buffers of a request and its answer for libcurl.
struct Exchange {
  const std::string* body = nullptr;
  std::size_t sent = 0;
  HttpAnswer answer;
  AnswerLimit limit{kMostOfAnswer};
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
  if (!exchange.limit.take(line.size())) return 0;
  if (line.rfind("Date: ", 0) == 0) exchange.answer.date_s = late::curl_getdate(line.c_str() + 6, nullptr);
  return line.size();
}

}  // namespace

struct EtcdConnection::Handle {
  CURL* curl = nullptr;
  curl_slist* headers = nullptr;

  Handle() {
    static const CURLcode kReady = late::curl_global_init(CURL_GLOBAL_DEFAULT);
    curl = late::curl_easy_init();
    headers = late::curl_slist_append(nullptr, "Content-Type: application/json");
    headers = late::curl_slist_append(headers, "Expect:");  // otherwise it waits for a 100 Continue
    if (kReady != CURLE_OK || curl == nullptr || headers == nullptr) throw HarnessError("libcurl cannot be used");
  }
  ~Handle() {
    late::curl_easy_cleanup(curl);
    late::curl_slist_free_all(headers);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

std::string EtcdConnection::library_missing() {
  return late::libcurl.missing();
}

EtcdConnection::EtcdConnection(EtcdAddress address) : address_(std::move(address)) {}
EtcdConnection::~EtcdConnection() = default;
EtcdConnection::EtcdConnection(EtcdConnection&&) noexcept = default;

void EtcdConnection::connect() {
  if (id_ != 0) return;
  try {
    get("/version");
  } catch (const StatementFailed& failed) {
    throw StatementFailed(true, Reason::unavailable, failed.error, std::string("connect: ") + failed.what());
  }
}

HttpAnswer EtcdConnection::get(const std::string& path) {
  return ask(path, nullptr);
}

HttpAnswer EtcdConnection::post(const std::string& path, const std::string& body) {
  return ask(path, &body);
}

// CURLOPT_SEEKFUNCTION is deliberately not set: with it libcurl could rewind the body and send it a second time.
HttpAnswer EtcdConnection::ask(const std::string& path, const std::string* body) {
  if (!handle_) handle_ = std::make_unique<Handle>();
  CURL* curl = handle_->curl;
  Exchange exchange;
  exchange.body = body;
  const std::string url = "http://" + address_.host + ":" + std::to_string(address_.port) + path;
  late::set_option(curl, CURLOPT_URL, url.c_str());
  late::set_option(curl, CURLOPT_PROTOCOLS_STR, "http");
  late::set_option(curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  late::set_option(curl, CURLOPT_NOPROXY, "*");
  late::set_option(curl, CURLOPT_NOSIGNAL, 1L);
  late::set_option(curl, CURLOPT_MAXCONNECTS, 1L);
  late::set_option(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(address_.timeout_ms));
  late::set_option(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(address_.timeout_ms));
  late::set_option(curl, CURLOPT_WRITEFUNCTION, take_body);
  late::set_option(curl, CURLOPT_WRITEDATA, &exchange);
  late::set_option(curl, CURLOPT_HEADERFUNCTION, take_header);
  late::set_option(curl, CURLOPT_HEADERDATA, &exchange);
  if (body == nullptr) {
    late::set_option(curl, CURLOPT_HTTPGET, 1L);
    late::set_option(curl, CURLOPT_HTTPHEADER, nullptr);
  } else {
    late::set_option(curl, CURLOPT_POST, 1L);
    late::set_option(curl, CURLOPT_POSTFIELDS, nullptr);
    late::set_option(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body->size()));
    late::set_option(curl, CURLOPT_READFUNCTION, read_body);
    late::set_option(curl, CURLOPT_READDATA, &exchange);
    late::set_option(curl, CURLOPT_HTTPHEADER, handle_->headers);
  }
  const CURLcode code = late::curl_easy_perform(curl);
  if (code != CURLE_OK) fail(path, code, exchange.limit.passed());
  long port = 0;
  late::get_info(curl, CURLINFO_RESPONSE_CODE, &exchange.answer.status);
  late::get_info(curl, CURLINFO_LOCAL_PORT, &port);
  id_ = static_cast<std::uint64_t>(port);
  return std::move(exchange.answer);
}

void EtcdConnection::fail(const std::string& path, int code, const std::string& passed) {
  long sent = 0;
  late::get_info(handle_->curl, CURLINFO_REQUEST_SIZE, &sent);
  const std::string why = passed.empty() ? late::curl_easy_strerror(static_cast<CURLcode>(code)) : passed;
  close();
  const Reason reason = code == CURLE_OPERATION_TIMEDOUT ? Reason::timeout : Reason::unavailable;
  const bool nothing_sent = sent == 0;
  throw StatementFailed(nothing_sent, nothing_sent ? Reason::unavailable : reason, 0,
                        address_.host + path + ": " + why);
}

void EtcdConnection::close() {
  handle_.reset();
  id_ = 0;
}

Reply EtcdStatements::run(std::string_view statement, Params params) {
  const EtcdCommand command = commands_.bind(statement, params);
  const EtcdCall call = etcd_call(command);
  const HttpAnswer answer = connection_.post(call.path, call.body);
  return etcd_reply(command, answer.status, answer.body);
}

}  // namespace holdfast
