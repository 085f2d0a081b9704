// MySQL and MariaDB: a command is a message with sequence 0. The server speaks first, and both agree on capabilities;
// encrypted or compressed connections cannot be read from then on.
#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "relay/protocols/mysql/mysql_packets.hpp"
#include "relay/protocols/mysql/mysql_replies.hpp"
#include "relay/protocols/mysql/mysql_text.hpp"
#include "relay/transaction_words.hpp"
#include "relay/wire.hpp"

namespace holdfast {
namespace {

enum Command : unsigned {
  kQuit = 0x01,
  kQuery = 0x03,
  kFieldList = 0x04,
  kStatistics = 0x09,
  kChangeUser = 0x11,
  kBinlogDump = 0x12,
  kPrepare = 0x16,
  kExecute = 0x17,
  kLongData = 0x18,
  kCloseStatement = 0x19,
  kBinlogDumpGtid = 0x1E,
  kExecuteMany = 0xFA,  // MariaDB's
};

// Capabilities in the greetings; `MariaDB` has its own bits in another field.
constexpr std::uint32_t kNotMariaDb = 1U << 0U;
constexpr std::uint32_t kCompress = 1U << 5U;
constexpr std::uint32_t kProtocol41 = 1U << 9U;
constexpr std::uint32_t kTls = 1U << 11U;
constexpr std::uint32_t kDeprecateEof = 1U << 24U;
constexpr std::uint32_t kOptionalColumns = 1U << 25U;
constexpr std::uint32_t kCompressZstd = 1U << 26U;
constexpr std::uint32_t kMariaDbCachesColumns = 1U << 4U;

constexpr std::size_t kTlsRequestLength = 32;
constexpr std::size_t kMostOutstanding = 4096;  // commands sent ahead
constexpr std::size_t kMostStatements = 4096;   // prepared statements that name a lock
constexpr std::uint32_t kLastPrepared = 0xFFFFFFFF;
constexpr std::size_t kHeaderAndCommand = 5;

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t n = 0; n < 4 && at + n < bytes.size(); ++n) {
    out |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + n])) << (8 * n);
  }
  return out;
}

class MySqlWire : public Wire {
 public:
  Piece from_client(std::string_view bytes) override;
  Piece from_server(std::string_view bytes) override;
  bool counts(std::string_view request, bool names) override;
  bool ends_transaction() const override { return ends_transaction_; }
  std::string_view prepared(std::string_view request) const override;
  bool repeatable() const override { return command_ == kQuery && replies_known(); }
  void sent_again() override { expect({MySqlReplies::Kind::query, false}); }

 private:
  enum class Phase : std::uint8_t { greeting, answer, logging_in, commands };
  struct Asked {
    MySqlReplies::Kind kind;
    bool names;
    std::string prepares{};  // the text, shortened
  };

  void greet();
  bool agree();  // returns false if it gave up
  void expect(Asked asked);
  bool expect_reply();
  bool replied();

  Phase phase_ = Phase::greeting;
  MySqlPackets up_, down_;
  MySqlReplies replies_;
  std::uint32_t server_can_ = 0, server_can_more_ = 0;
  unsigned command_ = 0;
  bool ends_transaction_ = false;
  std::deque<Asked> asked_;
  std::set<std::uint32_t> statements_;  // whose text, or data, names a lock
  bool last_prepared_names_ = false;
  std::map<std::uint32_t, std::string> texts_;  // of prepared statements
  std::uint32_t last_prepared_ = 0;
};

void MySqlWire::expect(Asked asked) {
  asked_.push_back(std::move(asked));
  if (asked_.size() > kMostOutstanding) lose_count();
}

// Version, then the number of the connection, then half of the capability bits, and the others further on.
void MySqlWire::greet() {
  std::size_t at = 1;
  while (at < down_.kept() && down_.byte(at) != 0) ++at;
  server_can_ = down_.number(at + 14, 2) | down_.number(at + 19, 2) << 16U;
  if ((server_can_ & kNotMariaDb) == 0) server_can_more_ = down_.number(at + 28, 4);
}

bool MySqlWire::agree() {
  const std::uint32_t client_can = up_.number(0, 4);
  const std::uint32_t both_can = client_can & server_can_;
  if ((client_can & kTls) != 0 && up_.length() <= kTlsRequestLength) return give_up(kSpeaksTls), false;
  if ((client_can & kProtocol41) == 0) return give_up("the client speaks a protocol older than 4.1"), false;
  if ((both_can & (kCompress | kCompressZstd)) != 0) return give_up("the connection is compressed"), false;
  const bool caches = (client_can & kNotMariaDb) == 0 && (up_.number(28, 4) & server_can_more_ & kMariaDbCachesColumns);
  replies_.agreed(
      {.no_eof = (both_can & kDeprecateEof) != 0, .may_skip_columns = caches || (both_can & kOptionalColumns) != 0});
  phase_ = Phase::logging_in;
  return true;
}

// For the command that is complete.
bool MySqlWire::expect_reply() {
  switch (command_) {
    case kQuit:
    case kLongData:
    case kCloseStatement:
      return false;
    case kBinlogDump:
    case kBinlogDumpGtid:
      lose_count();
      break;
    case kStatistics:
      expect({MySqlReplies::Kind::text, false});
      break;
    case kFieldList:
      expect({MySqlReplies::Kind::fields, false});
      break;
    case kChangeUser:
      expect({MySqlReplies::Kind::change_user, false});
      break;
    default:
      expect({command_ == kPrepare ? MySqlReplies::Kind::prepare : MySqlReplies::Kind::query, false});
  }
  return true;
}

Piece MySqlWire::from_client(std::string_view bytes) {
  if (!opaque().empty() || bytes.empty()) return {};
  if (phase_ == Phase::greeting) return give_up("the client sent before the server");
  const auto read = up_.read(bytes);
  Piece piece{.size = read.size, .whole = read.ends && !read.goes_on};
  if (!piece.whole) return piece;
  if (phase_ == Phase::answer) {
    if (!agree()) return {};
  } else if (replies_.wants_file()) {
    if (up_.length() == 0) replies_.file_sent();
  } else if (up_.sequence() == 0 && phase_ == Phase::commands) {
    command_ = up_.first();
    piece.request = true;
    piece.expects_reply = expect_reply();
  }
  return piece;
}

// Handles the end of a reply.
bool MySqlWire::replied() {
  const Asked& asked = asked_.front();
  if (!replies_.ends(down_, asked.kind)) return false;
  if (asked.kind == MySqlReplies::Kind::prepare && replies_.prepared()) {
    if (asked.names && statements_.size() < kMostStatements) statements_.insert(replies_.statement());
    if (!asked.names) statements_.erase(replies_.statement());
    last_prepared_ = replies_.statement();
    if (texts_.size() < kMostStatements) texts_[last_prepared_] = asked.prepares;
  }
  asked_.pop_front();
  return true;
}

Piece MySqlWire::from_server(std::string_view bytes) {
  if (!replies_known()) return {.size = bytes.size()};
  const bool aside = phase_ != Phase::commands || asked_.empty();
  const auto read = down_.read(bytes);
  Piece piece{.size = read.size, .aside = aside};
  if (!read.ends || read.goes_on) return piece;
  if (aside) {
    piece.whole = true;
    if (phase_ == Phase::greeting) {
      constexpr unsigned kVersion = 10;
      if (down_.first() != kVersion && down_.first() != 0xFF) give_up("the server does not speak MySQL's protocol 10");
      greet();
      phase_ = Phase::answer;
    } else if (phase_ == Phase::logging_in && down_.first() == 0) {
      phase_ = Phase::commands;
    }
    return piece;
  }
  piece.whole = replied();
  return piece;
}

bool MySqlWire::counts(std::string_view request, bool names) {
  ends_transaction_ = false;
  const std::uint32_t statement = little_endian(request, kHeaderAndCommand);
  switch (command_) {
    case kQuery:
      ends_transaction_ = holdfast::ends_transaction(request.substr(std::min(request.size(), kHeaderAndCommand)));
      return names;
    case kPrepare:
      last_prepared_names_ = names;
      if (!asked_.empty()) {
        asked_.back().names = names;
        asked_.back().prepares = request.substr(std::min(request.size(), kHeaderAndCommand), kKeptOfPrepared);
      }
      return false;
    case kExecute:
    case kExecuteMany:
      return names || statements_.count(statement) != 0 || (statement == kLastPrepared && last_prepared_names_);
    case kLongData:
      if (names && statements_.size() < kMostStatements) statements_.insert(statement);
      return false;
    case kCloseStatement:
      statements_.erase(statement);
      texts_.erase(statement);
      return false;
    default:
      return false;
  }
}

std::string_view MySqlWire::prepared(std::string_view request) const {
  if (command_ != kExecute && command_ != kExecuteMany) return {};
  const std::uint32_t statement = little_endian(request, kHeaderAndCommand);
  const auto found = texts_.find(statement == kLastPrepared ? last_prepared_ : statement);
  return found == texts_.end() ? std::string_view() : found->second;
}

}  // namespace

extern const ProtocolType protocol_mysql;
const ProtocolType protocol_mysql{.about = "MySQL's protocol (MySQL, MariaDB and compatible servers)",
                                  .text = kMySqlText,
                                  .make = []() -> std::unique_ptr<Wire> { return std::make_unique<MySqlWire>(); }};

}  // namespace holdfast
