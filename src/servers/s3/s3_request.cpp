#include "servers/s3/s3_request.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "artifact/error.hpp"
#include "artifact/json_text.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kMostOfErrorText = 200;

std::string sha256_hex(const std::string& bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
    throw HarnessError("OpenSSL has no SHA-256");
  }
  std::string out;
  for (unsigned i = 0; i < length; ++i) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    out += kDigits[digest.at(i) >> 4U];
    out += kDigits[digest.at(i) & 15U];
  }
  return out;
}

// Text of the first such element, up to a limit; the rest of the document is not read.
std::string element_text(std::string_view xml, const std::string& name) {
  const std::string open = "<" + name + ">";
  const auto at = xml.find(open);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = xml.substr(at + open.size());
  const auto end = rest.find("</" + name + ">");
  return end == std::string_view::npos ? "" : std::string(rest.substr(0, std::min(end, kMostOfErrorText)));
}

bool has_condition(const S3Command& command, std::string_view name) {
  return std::any_of(command.headers.begin(), command.headers.end(),
                     [&](const std::string& line) { return line.rfind(name, 0) == 0; });
}

[[noreturn]] void refuse_foreign(const S3Command& command, const std::string& why) {
  throw StatementFailed(false, Reason::other, 0, command.method + " " + command.path + ": " + why);
}

std::string required(const S3Command& command, const HttpAnswer& answer, const std::string& header) {
  if (answer.header(header).empty()) refuse_foreign(command, "the answer has no header " + header);
  return answer.header(header);
}

std::string date_of_answer(const S3Command& command, const HttpAnswer& answer) {
  const std::int64_t date_s = http_date_s(answer.header("date"));
  if (date_s < 0) refuse_foreign(command, "the answer has no date");
  return std::to_string(date_s);
}

std::string field_of_answer(const S3Command& command, const HttpAnswer& answer, const std::string& name) {
  if (name == "body") return answer.body;
  if (name == "date_s") return date_of_answer(command, answer);
  return required(command, answer, name == "meta_expires" ? "x-amz-meta-expires" : "etag");
}

std::vector<Field> row_of(const S3Command& command, const HttpAnswer& answer) {
  std::vector<Field> row;
  for (const auto& name : command.answers) row.emplace_back(field_of_answer(command, answer, name));
  return row;
}

Reply done(const S3Command& command, const HttpAnswer& answer) {
  Reply out;
  out.only_read = command.method == "GET";
  out.affected = out.only_read ? 0 : 1;
  if (!command.answers.empty()) out.rows.push_back(row_of(command, answer));
  return out;
}

Reply nothing_done() {
  Reply out;
  out.only_read = true;
  return out;
}

}  // namespace

std::string s3_error_text(std::string_view body) {
  const std::string code = element_text(body, "Code");
  const std::string message = element_text(body, "Message");
  return code.empty() || message.empty() ? code + message : code + ": " + message;
}

std::vector<std::string> s3_fields(const std::string& method) {
  if (method == "GET") return {"etag", "body", "date_s", "meta_expires"};
  if (method == "PUT") return {"etag"};
  if (method == "DELETE") return {};
  throw BadInput(unknown_word("method", method, {"GET", "PUT", "DELETE"}));
}

HttpRequest s3_call(const S3Command& command) {
  HttpRequest out{command.method, command.path, command.headers, command.body};
  out.headers.push_back("x-amz-content-sha256: " + sha256_hex(command.body));
  return out;
}

Reply s3_reply(const S3Command& command, const HttpAnswer& answer) {
  const long status = answer.status;
  if (status >= 200 && status < 300) return done(command, answer);
  const std::string told = s3_error_text(answer.body);
  const std::string text = "HTTP status " + std::to_string(status) + (told.empty() ? "" : ", " + told);
  const bool missing = status == 404 && told.rfind("NoSuchKey", 0) == 0;
  if (missing && (command.method != "PUT" || has_condition(command, "If-Match:"))) return nothing_done();
  if (status == 412) return nothing_done();
  if (status == 409) return Reply::refused(ErrorKind::conflict, static_cast<int>(status), text);
  if (status >= 400 && status < 500) return Reply::refused(ErrorKind::unknown, static_cast<int>(status), text);
  if (status >= 500) throw StatementFailed(false, Reason::unavailable, static_cast<int>(status), text);
  refuse_foreign(command, "does not answer like an object store: " + text);
}

}  // namespace holdfast
