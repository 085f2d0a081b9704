#include "relay/protocols/mysql/mysql_text.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "relay/sql_words.hpp"
#include "relay/transaction_words.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kPacketHeader = 4;
constexpr std::size_t kEofPacketLength = 5;  // of an EOF packet; an OK in its place is longer
constexpr std::size_t kMostRows = 5;
constexpr unsigned kTextQuery = 0x03;
constexpr unsigned kOkPacket = 0x00;
constexpr unsigned kNull = 0xFB;
constexpr unsigned kEofPacket = 0xFE;
constexpr unsigned kErrPacket = 0xFF;
constexpr unsigned kInTransaction = 0x01;
constexpr unsigned kMoreFollow = 0x08;
constexpr std::size_t kErrorState = 6;  // '#' and five letters

// Reads the fields of one packet; beyond its end all are empty.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : rest_(bytes) {}
  bool empty() const { return rest_.empty(); }
  unsigned first() const { return rest_.empty() ? 0x100U : static_cast<unsigned char>(rest_[0]); }

  std::uint64_t number(std::size_t bytes) {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < bytes && i < rest_.size(); ++i) {
      out |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[i])) << (8 * i);
    }
    skip(bytes);
    return out;
  }
  std::uint64_t packed() {
    const auto first = static_cast<unsigned>(number(1));
    if (first == 0xFC) return number(2);
    if (first == 0xFD) return number(3);
    return first == 0xFE ? number(8) : first;
  }
  std::string_view text() {
    const auto size = static_cast<std::size_t>(packed());
    const std::string_view out = rest_.substr(0, size);
    skip(size);
    return out;
  }
  std::string_view rest() const { return rest_; }
  void skip(std::size_t bytes) { rest_.remove_prefix(bytes < rest_.size() ? bytes : rest_.size()); }

 private:
  std::string_view rest_;
};

std::vector<std::string_view> packets_of(std::string_view bytes) {
  std::vector<std::string_view> out;
  while (bytes.size() >= kPacketHeader) {
    const auto size = static_cast<std::size_t>(Fields(bytes).number(3));
    out.push_back(bytes.substr(kPacketHeader, size));
    bytes.remove_prefix(size + kPacketHeader < bytes.size() ? size + kPacketHeader : bytes.size());
  }
  return out;
}

std::string_view sql_of(const RelayedRequest& request) {
  const std::string_view body =
      request.bytes.substr(kPacketHeader < request.bytes.size() ? kPacketHeader : request.bytes.size());
  if (!body.empty() && static_cast<unsigned char>(body[0]) == kTextQuery) return body.substr(1);
  return request.prepared;
}

std::string rows_text(std::uint64_t rows, const char* what) {
  return std::to_string(rows) + (rows == 1 ? " row" : " rows") + what;
}

struct Ok {
  std::uint64_t rows = 0;
  unsigned status = 0;
};

Ok ok_of(std::string_view packet) {
  Fields fields(packet);
  fields.skip(1);
  Ok out;
  out.rows = fields.packed();
  fields.packed();
  out.status = static_cast<unsigned>(fields.number(2));
  return out;
}

std::string error_text(std::string_view packet) {
  Fields fields(packet);
  fields.skip(1);
  const std::uint64_t number = fields.number(2);
  if (!fields.empty() && fields.rest()[0] == '#') fields.skip(kErrorState);
  return "error " + std::to_string(number) + ": " + sql_line(fields.rest());
}

bool ends_rows(std::string_view packet) {
  return Fields(packet).first() == kEofPacket && packet.size() < 0xFFFFFF;
}

// Rows of prepared statements are in another form, which only their columns explain: they do not fit.
std::string row_text(std::string_view packet, std::uint64_t columns) {
  Fields fields(packet);
  std::string out;
  std::uint64_t read = 0;
  for (; read < columns && !fields.empty(); ++read) {
    if (read > 0) out += ", ";
    if (fields.first() == kNull) {
      fields.skip(1);
      out += "NULL";
    } else {
      out += sql_value(fields.text());
    }
  }
  return read == columns && fields.empty() ? "(" + out + ")" : "(...)";
}

// The parts of a reply that matter here.
struct ReadReply {
  std::string text;
  std::optional<unsigned> status;  // that its last packet tells
  bool is_error = false;
  std::optional<std::uint64_t> changed;  // rows, where it is no result set
};

// The result set that begins at `at`, up to the packet that ends it.
void read_rows(const std::vector<std::string_view>& packets, std::size_t& at, ReadReply& out) {
  const std::uint64_t columns = Fields(packets[at]).packed();
  at += 1 + static_cast<std::size_t>(std::min<std::uint64_t>(columns, packets.size()));
  if (at < packets.size() && ends_rows(packets[at]) && packets[at].size() == kEofPacketLength) ++at;
  std::uint64_t rows = 0;
  std::string text;
  for (; at < packets.size() && !ends_rows(packets[at]); ++at) {
    if (Fields(packets[at]).first() == kErrPacket) {
      out.is_error = true;
      out.text = error_text(packets[at++]);
      return;
    }
    if (++rows <= kMostRows) text += (text.empty() ? "" : ", ") + row_text(packets[at], columns);
  }
  out.text += rows == 0 ? "no rows" : text;
  if (rows > kMostRows) out.text += ", ... " + rows_text(rows, "");
  if (at >= packets.size()) return;
  const std::string_view end = packets[at++];
  out.status =
      end.size() == kEofPacketLength ? static_cast<unsigned>(Fields(end.substr(3)).number(2)) : ok_of(end).status;
}

ReadReply read_reply(std::string_view reply) {
  ReadReply out;
  const auto packets = packets_of(reply);
  for (std::size_t at = 0; at < packets.size();) {
    if (!out.text.empty()) out.text += "; ";
    const unsigned first = Fields(packets[at]).first();
    if (first == kErrPacket) {
      out.is_error = true;
      out.text += error_text(packets[at++]);
    } else if (first == kOkPacket) {
      const Ok ok = ok_of(packets[at++]);
      out.status = ok.status;
      out.changed = out.changed.value_or(0) + ok.rows;
      out.text += rows_text(ok.rows, " changed");
    } else {
      read_rows(packets, at, out);
    }
    if (!out.status || (*out.status & kMoreFollow) == 0) break;
  }
  return out;
}

bool is_prepared(const RelayedRequest& request) {
  return request.bytes.size() > kPacketHeader && static_cast<unsigned char>(request.bytes[kPacketHeader]) != kTextQuery;
}

std::vector<std::string> words(const RelayedRequest& request) {
  return sql_words(is_prepared(request) ? request.bytes : sql_of(request));
}

std::string request_text(const RelayedRequest& request) {
  const std::string_view sql = sql_of(request);
  if (sql.empty()) return "a prepared statement";
  return sql_line(sql);
}

std::string name(const RelayedRequest& request) {
  return sql_name(sql_of(request));
}

std::string reply_text(std::string_view reply) {
  return read_reply(reply).text;
}

// Sure only outside of a transaction, where nothing stays locked and no snapshot is kept.
bool may_change(const RelayedRequest& request, std::string_view reply) {
  const ReadReply read = read_reply(reply);
  const std::string_view sql = sql_of(request);
  if (sql.empty() || ends_transaction(sql) || !read.status || (*read.status & kInTransaction) != 0) return true;
  if (sql_only_reads(sql)) return false;
  const std::string word = sql_name(sql);
  const bool tells = (word == "update" || word == "delete") && sql.find(';') == std::string_view::npos;
  return !tells || read.changed != 0;
}

}  // namespace

const WireText kMySqlText{words, request_text, name, reply_text, may_change};

}  // namespace holdfast
