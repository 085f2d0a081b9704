// Redis: each command has one answer, in order, except after commands that let the server send freely (SUBSCRIBE,
// MONITOR, CLIENT REPLY OFF). After one of these, answers can no longer be matched.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "relay/protocols/resp/resp_replies.hpp"
#include "relay/protocols/resp/resp_requests.hpp"
#include "relay/protocols/resp/resp_text.hpp"
#include "relay/wire.hpp"

namespace holdfast {
namespace {

// Commands that do not concern a lock, whatever their words. SCRIPT depends on its second word.
constexpr std::array<std::string_view, 11> kNotCounted{"PING", "ECHO",   "INFO",    "HELLO", "AUTH", "SELECT",
                                                       "QUIT", "CONFIG", "COMMAND", "ROLE",  "TIME"};
constexpr std::array<std::string_view, 6> kSubscriptions{"SUBSCRIBE",   "PSUBSCRIBE",   "SSUBSCRIBE",
                                                         "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE"};
constexpr std::array<std::string_view, 3> kUnordered{"MONITOR", "SYNC", "PSYNC"};

template <std::size_t n>
bool among(const std::array<std::string_view, n>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

class RespWire : public Wire {
 public:
  Piece from_client(std::string_view bytes) override {
    if (first_ && !bytes.empty() && static_cast<unsigned char>(bytes[0]) == kTlsHandshake) return give_up(kSpeaksTls);
    if (!opaque().empty()) return {};
    first_ = first_ && bytes.empty();
    const Piece piece = requests_.read(bytes);
    if (!requests_.refusal().empty()) return give_up("not a command of RESP: " + requests_.refusal());
    if (piece.whole && piece.request) {
      const std::string& word = requests_.word(0);
      const bool unordered = among(kUnordered, word) || among(kSubscriptions, word);
      if (unordered || (word == "CLIENT" && requests_.word(1) == "REPLY")) lose_count();
    }
    return piece;
  }

  Piece from_server(std::string_view bytes) override {
    if (replies_known()) {
      const Piece piece = replies_.read(bytes);
      if (!replies_.refused()) return piece;
      lose_count();
    }
    return {.size = bytes.size()};
  }

  bool counts(std::string_view /*request*/, bool names) override {
    const std::string& word = requests_.word(0);
    const bool load = word == "SCRIPT" || (word == "FUNCTION" && requests_.word(1) != "STATS");
    return names && !load && word != "CLIENT" && !among(kNotCounted, word);
  }
  bool ends_transaction() const override { return requests_.word(0) == "EXEC" || requests_.word(0) == "DISCARD"; }
  Counted counted() const override {
    return among(kSubscriptions, requests_.word(0)) ? Counted::in_operations : Counted::always;
  }
  bool repeatable() const override { return replies_known(); }
  void sent_again() override {}

 private:
  bool first_ = true;
  RespRequests requests_;
  RespReplies replies_;
};

}  // namespace

extern const ProtocolType protocol_resp;
const ProtocolType protocol_resp{.about = "RESP2 and RESP3 (Redis and compatible servers)",
                                 .text = kRespText,
                                 .make = []() -> std::unique_ptr<Wire> { return std::make_unique<RespWire>(); }};

}  // namespace holdfast
