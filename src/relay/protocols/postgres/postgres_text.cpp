#include "relay/protocols/postgres/postgres_text.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "relay/sql_words.hpp"
#include "relay/transaction_words.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kBeforeBody = 5;
constexpr std::size_t kMostRows = 5;
constexpr std::size_t kMostValues = 20;
constexpr std::uint32_t kNull = 0xFFFFFFFF;

// Reads the fields of one message; beyond its end all are empty.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : rest_(bytes) {}
  std::uint32_t number(std::size_t bytes) {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
      out = out << 8U | (i < rest_.size() ? static_cast<unsigned char>(rest_[i]) : 0U);
    }
    skip(bytes);
    return out;
  }
  std::string_view text() {  // up to a zero byte
    const std::string_view out = rest_.substr(0, rest_.find('\0'));
    skip(out.size() + 1);
    return out;
  }
  std::string_view bytes(std::size_t size) {
    const std::string_view out = rest_.substr(0, size);
    skip(size);
    return out;
  }
  bool empty() const { return rest_.empty(); }

 private:
  void skip(std::size_t bytes) { rest_.remove_prefix(std::min(bytes, rest_.size())); }
  std::string_view rest_;
};

// Calls `each` with the letter and the body of each message.
template <class Each>
void each_part(std::string_view bytes, const Each& each) {
  while (bytes.size() >= kBeforeBody) {
    const std::size_t length = Fields(bytes.substr(1)).number(4);
    const std::size_t whole = std::min(length + 1, bytes.size());
    if (whole < kBeforeBody) return;
    each(bytes[0], bytes.substr(kBeforeBody, whole - kBeforeBody));
    bytes.remove_prefix(whole);
  }
}

bool is_text(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](unsigned char c) { return c >= ' ' || c == '\n' || c == '\t'; });
}

std::string value_text(std::string_view value) {
  return is_text(value) ? sql_value(value) : "(...)";
}

// The values that a Bind passes, each after its length.
std::vector<std::string_view> bound_values(std::string_view body) {
  Fields fields(body);
  fields.text();  // of a portal
  fields.text();  // of a statement
  for (std::uint32_t formats = fields.number(2); formats > 0 && !fields.empty(); --formats) fields.number(2);
  std::vector<std::string_view> out;
  for (std::uint32_t left = fields.number(2); left > 0 && !fields.empty() && out.size() < kMostValues; --left) {
    const std::uint32_t size = fields.number(4);
    out.push_back(size == kNull ? std::string_view("NULL") : fields.bytes(size));
  }
  return out;
}

struct ReadRequest {
  std::string sql;  // of several statements, each after the other
  std::string_view first;
  std::vector<std::string_view> values;
};

ReadRequest read_request(const RelayedRequest& request) {
  ReadRequest out;
  each_part(request.bytes, [&](char letter, std::string_view body) {
    Fields fields(body);
    if (letter == 'P') fields.text();  // its name
    if (letter == 'Q' || letter == 'P') {
      const std::string_view sql = fields.text();
      if (out.first.empty()) out.first = sql;
      out.sql += (out.sql.empty() ? "" : "; ") + std::string(sql);
    }
    if (letter == 'B') {
      const auto more = bound_values(body);
      out.values.insert(out.values.end(), more.begin(), more.end());
    }
  });
  if (out.sql.empty()) {
    out.sql = request.prepared;
    out.first = request.prepared;
  }
  return out;
}

std::string row_text(std::string_view body) {
  Fields fields(body);
  std::string out;
  for (std::uint32_t left = fields.number(2); left > 0 && !fields.empty(); --left) {
    const std::uint32_t size = fields.number(4);
    out += (out.empty() ? "" : ", ") + (size == kNull ? "NULL" : value_text(fields.bytes(size)));
  }
  return "(" + out + ")";
}

std::string error_text(std::string_view body) {
  std::string code;
  std::string message;
  for (Fields fields(body); !fields.empty();) {
    const auto kind = static_cast<char>(fields.number(1));
    const std::string_view text = fields.text();
    if (kind == 'C') code = text;
    if (kind == 'M') message = sql_line(text);
  }
  return "error " + code + ": " + message;
}

struct ReadReply {
  std::string text;
  std::vector<std::string> tags;  // "UPDATE 1"
  bool is_error = false;
  char status = 0;  // of ReadyForQuery: I outside of a transaction
};

void read_message(char letter, std::string_view body, std::size_t& rows, ReadReply& out) {
  std::string part;
  if (letter == 'D' && ++rows <= kMostRows) part = row_text(body);
  if (letter == 'C') {
    out.tags.emplace_back(Fields(body).text());
    if (rows == 0) part = out.tags.back() == "SELECT 0" ? "no rows" : out.tags.back();
    if (rows > kMostRows) part = "... " + std::to_string(rows) + " rows";
    rows = 0;
  }
  if (letter == 'E') {
    out.is_error = true;
    part = error_text(body);
  }
  if (letter == 'Z' && !body.empty()) out.status = body[0];
  if (!part.empty()) out.text += (out.text.empty() ? "" : ", ") + part;
}

ReadReply read_reply(std::string_view reply) {
  ReadReply out;
  std::size_t rows = 0;
  each_part(reply, [&](char letter, std::string_view body) { read_message(letter, body, rows, out); });
  return out;
}

std::vector<std::string> words(const RelayedRequest& request) {
  const ReadRequest read = read_request(request);
  auto out = sql_words(read.sql);
  for (const auto& value : read.values) out.emplace_back(value);
  return out;
}

std::string request_text(const RelayedRequest& request) {
  const ReadRequest read = read_request(request);
  if (read.sql.empty()) return "a prepared statement";
  std::string values;
  for (const auto& value : read.values) values += (values.empty() ? " with " : ", ") + value_text(value);
  return sql_line(read.sql) + values;
}

std::string name(const RelayedRequest& request) {
  return sql_name(read_request(request).first);
}

std::string reply_text(std::string_view reply) {
  return read_reply(reply).text;
}

// Sure only outside of a transaction, where nothing stays locked and no snapshot is kept.
bool may_change(const RelayedRequest& request, std::string_view reply) {
  const ReadRequest asked = read_request(request);
  const ReadReply read = read_reply(reply);
  if (asked.sql.empty() || ends_transaction(asked.sql) || read.status != 'I') return true;
  if (sql_only_reads(asked.sql)) return false;
  return read.tags.size() != 1 || (read.tags.front() != "UPDATE 0" && read.tags.front() != "DELETE 0");
}

}  // namespace

const WireText kPostgresText{words, request_text, name, reply_text, may_change};

}  // namespace holdfast
