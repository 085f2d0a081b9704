#include "servers/etcd/etcd_connection.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <utility>

#include "artifact/error.hpp"
#include "servers/etcd/etcd_request.hpp"
#include "store/transport.hpp"

namespace holdfast {
namespace {

// What of a request libcurl reads, and what of its answer it writes.
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
  if (line.rfind("Date: ", 0) == 0) exchange.answer.date_s = ::curl_getdate(line.c_str() + 6, nullptr);
  return line.size();
}

}  // namespace

struct EtcdConnection::Handle {
  CURL* curl = nullptr;
  curl_slist* headers = nullptr;

  Handle() {
    static const CURLcode kReady = ::curl_global_init(CURL_GLOBAL_DEFAULT);
    curl = ::curl_easy_init();
    headers = ::curl_slist_append(nullptr, "Content-Type: application/json");
    headers = ::curl_slist_append(headers, "Expect:");  // else it waits for a leave to send
    if (kReady != CURLE_OK || curl == nullptr || headers == nullptr) throw HarnessError("libcurl cannot be used");
  }
  ~Handle() {
    ::curl_easy_cleanup(curl);
    ::curl_slist_free_all(headers);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
};

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

// CURLOPT_SEEKFUNCTION is left out on purpose: with it libcurl could rewind the body, and send it a second time.
HttpAnswer EtcdConnection::ask(const std::string& path, const std::string* body) {
  if (!handle_) handle_ = std::make_unique<Handle>();
  CURL* curl = handle_->curl;
  Exchange exchange;
  exchange.body = body;
  const std::string url = "http://" + address_.host + ":" + std::to_string(address_.port) + path;
  ::curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  ::curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http");
  ::curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1);
  ::curl_easy_setopt(curl, CURLOPT_NOPROXY, "*");
  ::curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  ::curl_easy_setopt(curl, CURLOPT_MAXCONNECTS, 1L);
  ::curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, static_cast<long>(address_.timeout_ms));
  ::curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(address_.timeout_ms));
  ::curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
  ::curl_easy_setopt(curl, CURLOPT_WRITEDATA, &exchange);
  ::curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
  ::curl_easy_setopt(curl, CURLOPT_HEADERDATA, &exchange);
  if (body == nullptr) {
    ::curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
    ::curl_easy_setopt(curl, CURLOPT_HTTPHEADER, nullptr);
  } else {
    ::curl_easy_setopt(curl, CURLOPT_POST, 1L);
    ::curl_easy_setopt(curl, CURLOPT_POSTFIELDS, nullptr);
    ::curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body->size()));
    ::curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_body);
    ::curl_easy_setopt(curl, CURLOPT_READDATA, &exchange);
    ::curl_easy_setopt(curl, CURLOPT_HTTPHEADER, handle_->headers);
  }
  const CURLcode code = ::curl_easy_perform(curl);
  if (code != CURLE_OK) fail(path, code, exchange.limit.passed());
  long port = 0;
  ::curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &exchange.answer.status);
  ::curl_easy_getinfo(curl, CURLINFO_LOCAL_PORT, &port);
  id_ = static_cast<std::uint64_t>(port);
  return std::move(exchange.answer);
}

void EtcdConnection::fail(const std::string& path, int code, const std::string& passed) {
  long sent = 0;
  ::curl_easy_getinfo(handle_->curl, CURLINFO_REQUEST_SIZE, &sent);
  const std::string why = passed.empty() ? ::curl_easy_strerror(static_cast<CURLcode>(code)) : passed;
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
