// PostgreSQL: a request is a simple query, or all messages of the extended protocol up to their Sync; either is
// answered up to one ReadyForQuery. A Flush separates the messages before it from the rest, since the client may wait
// for their answers; they are not a request by themselves. The client speaks first, and may ask for encryption, which
// makes the rest unreadable.
//
// An advisory lock is a number that the client derives from its name in its own way, so every call of an advisory lock
// function counts as if it named a lock.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "relay/protocols/postgres/postgres_messages.hpp"
#include "relay/protocols/postgres/postgres_text.hpp"
#include "relay/transaction_words.hpp"
#include "relay/wire.hpp"

namespace holdfast {
namespace {

// Instead of a version, in a message before a session.
constexpr std::uint32_t kCancelRequest = 80877102;
constexpr std::uint32_t kTlsRequest = 80877103;
constexpr std::uint32_t kGssRequest = 80877104;

constexpr std::size_t kMostOutstandingRequests = 4096;
constexpr std::size_t kMostPrepared = 4096;
constexpr std::size_t kLetterAndLength = 5;

// Splits text at its terminating zero byte.
std::string_view text_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? bytes.substr(at, bytes.find('\0', at) - at) : std::string_view();
}

// pg_try_advisory_lock(, pg_advisory_unlock_all(, PG_ADVISORY_XACT_LOCK_SHARED (, ...
bool calls_advisory_lock(std::string_view sql) {
  static constexpr std::string_view kBegins = "advisory_";
  const auto lower = [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); };
  const auto in_word = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const auto same = [&](char c, char begins) { return lower(c) == begins; };
  const auto* at = sql.begin();
  while ((at = std::search(at, sql.end(), kBegins.begin(), kBegins.end(), same)) != sql.end()) {
    const auto* const end = std::find_if_not(at, sql.end(), in_word);
    std::string word(at, end);
    std::transform(word.begin(), word.end(), word.begin(), lower);
    const auto* const opens =
        std::find_if(end, sql.end(), [](char c) { return std::isspace(static_cast<unsigned char>(c)) == 0; });
    if (word.find("lock") != std::string::npos && opens != sql.end() && *opens == '(') return true;
    at = end;
  }
  return false;
}

// Calls `each` with the letter and the body of each message.
template <class Each>
void each_message(std::string_view request, const Each& each) {
  while (request.size() >= kLetterAndLength) {
    std::uint32_t length = 0;
    for (std::size_t i = 1; i < kLetterAndLength; ++i) {
      length = length << 8U | static_cast<unsigned char>(request[i]);
    }
    const std::size_t whole = std::min<std::size_t>(std::size_t{1} + length, request.size());
    if (whole < kLetterAndLength) return;
    each(request[0], request.substr(kLetterAndLength, whole - kLetterAndLength));
    request.remove_prefix(whole);
  }
}

class PostgresWire : public Wire {
 public:
  Piece from_client(std::string_view bytes) override;
  Piece from_server(std::string_view bytes) override;
  bool counts(std::string_view request, bool names) override;
  bool ends_transaction() const override { return ends_transaction_; }
  std::string_view prepared(std::string_view request) const override;
  bool repeatable() const override { return simple_ && replies_known(); }
  void sent_again() override { expect(); }

 private:
  enum class Phase : std::uint8_t { hello, encryption, logging_in, requests };

  void expect();
  Piece hello();
  void note_prepared(std::string_view name, std::string_view sql, bool names);

  Phase phase_ = Phase::hello;
  PostgresMessages up_, down_;
  std::size_t outstanding_ = 0;
  bool simple_ = false;  // form of the last classified request
  bool ends_transaction_ = false;
  bool named_before_flush_ = false;
  std::set<std::string, std::less<>> naming_;  // prepared statements whose text names a lock
  std::set<std::string, std::less<>> ending_;  // ... or ends a transaction
  std::map<std::string, std::string, std::less<>> texts_;
};

void PostgresWire::expect() {
  if (++outstanding_ > kMostOutstandingRequests) lose_count();
}

Piece PostgresWire::hello() {
  switch (up_.first_number()) {
    case kTlsRequest:
    case kGssRequest:
      phase_ = Phase::encryption;
      break;
    case kCancelRequest:  // nothing follows
      break;
    default:
      if (up_.first_number() >> 16U != 3) return give_up("the client does not speak PostgreSQL's protocol 3");
      phase_ = Phase::logging_in;
  }
  return {};
}

Piece PostgresWire::from_client(std::string_view bytes) {
  if (!opaque().empty() || bytes.empty()) return {};
  const bool greets = phase_ == Phase::hello || phase_ == Phase::encryption;
  if (greets && !up_.inside() && static_cast<unsigned char>(bytes[0]) == kTlsHandshake) return give_up(kSpeaksTls);
  const auto read = up_.read(bytes, !greets);
  if (read.broken) return give_up("a message of the client has an impossible length");
  Piece piece{.size = read.size, .whole = read.ends};
  if (!read.ends) return piece;
  if (greets) {
    hello();
    if (!opaque().empty()) return {};
    return piece;
  }
  if (phase_ != Phase::requests) return piece;  // authentication of the client
  switch (up_.letter()) {
    case 'Q':  // a simple query
    case 'F':  // a function's call
    case 'S':  // Sync
      piece.request = piece.expects_reply = true;
      expect();
      break;
    case 'H':  // Flush
      piece.request = true;
      break;
    case 'P':  // Parse, Bind, Describe, Execute, Close
    case 'B':
    case 'D':
    case 'E':
    case 'C':
      piece.whole = false;
      break;
    default:  // the end, or copied data
      break;
  }
  return piece;
}

Piece PostgresWire::from_server(std::string_view bytes) {
  if (!replies_known() || bytes.empty()) return {.size = bytes.size()};
  if (phase_ == Phase::encryption) {
    phase_ = Phase::hello;
    if (bytes[0] != 'N') give_up(bytes[0] == 'S' ? kSpeaksTls : "the connection's encryption cannot be read");
    return {.size = 1, .whole = true, .aside = true};
  }
  const bool aside = phase_ != Phase::requests || outstanding_ == 0;
  const auto read = down_.read(bytes, true);
  if (read.broken) {
    give_up("a message of the server has an impossible length");
    return {.size = bytes.size()};
  }
  Piece piece{.size = read.size, .whole = read.ends && aside, .aside = aside};
  if (!read.ends || down_.letter() != 'Z') return piece;  // ReadyForQuery
  if (phase_ == Phase::logging_in) phase_ = Phase::requests;
  if (aside) return piece;
  --outstanding_;
  piece.whole = true;
  return piece;
}

void PostgresWire::note_prepared(std::string_view name, std::string_view sql, bool names) {
  const auto note = [&](std::set<std::string, std::less<>>& all, bool is) {
    if (!is) {
      if (const auto old = all.find(name); old != all.end()) all.erase(old);
    } else if (all.size() < kMostPrepared) {
      all.emplace(name);
    }
  };
  note(naming_, names);
  note(ending_, holdfast::ends_transaction(sql));
  if (texts_.size() < kMostPrepared || texts_.contains(name)) {
    texts_.insert_or_assign(std::string(name), std::string(sql.substr(0, kKeptOfPrepared)));
  }
}

// The name of the last statement that it binds.
std::string_view PostgresWire::prepared(std::string_view request) const {
  std::string_view out;
  each_message(request, [&](char letter, std::string_view body) {
    if (letter != 'B') return;
    const auto found = texts_.find(text_at(body, text_at(body, 0).size() + 1));
    if (found != texts_.end()) out = found->second;
  });
  return out;
}

// A series counts if it executes something: preparing a statement changes no lock.
bool PostgresWire::counts(std::string_view request, bool names) {
  bool executes = false;
  bool bound_names = false;
  bool bound_ends = false;
  simple_ = ends_transaction_ = false;
  each_message(request, [&](char letter, std::string_view body) {
    const std::string_view first = text_at(body, 0);
    const std::string_view second = text_at(body, first.size() + 1);
    if (letter == 'Q') {
      simple_ = executes = true;
      names = names || calls_advisory_lock(first);
      ends_transaction_ = holdfast::ends_transaction(first);
    }
    if (letter == 'F' || letter == 'E') executes = true;
    if (letter == 'P') {
      names = names || calls_advisory_lock(second);
      note_prepared(first, second, names);
    }
    if (letter == 'B') {  // a portal's name, and the statement's
      bound_names = bound_names || naming_.contains(second);
      bound_ends = bound_ends || ending_.contains(second);
    }
    if (letter == 'C' && !body.empty() && body[0] == 'S') note_prepared(text_at(body, 1), "", false);
  });
  const bool flushed = !request.empty() && up_.letter() == 'H';
  if (flushed) {
    named_before_flush_ = named_before_flush_ || ((names || bound_names) && executes);
    return false;
  }
  ends_transaction_ = ends_transaction_ || bound_ends;
  const bool before = std::exchange(named_before_flush_, false);
  return before || ((names || bound_names) && executes);
}

}  // namespace

extern const ProtocolType protocol_postgres;
const ProtocolType protocol_postgres{
    .about = "PostgreSQL's protocol 3", .text = kPostgresText, .make = []() -> std::unique_ptr<Wire> {
      return std::make_unique<PostgresWire>();
    }};

}  // namespace holdfast
