#include "request_explore/request_history.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kShortestValue = 5;  // shorter ones are words of the protocol, or small numbers

}  // namespace

void RequestHistory::clear() {
  for (auto& client : clients_) client = {};
  changes_ = {};
  values_.clear();
}

void RequestHistory::asked(std::uint32_t client, Op op, std::int64_t now_us) {
  clients_.at(client).seen.add(1).add(static_cast<int>(op)).add(now_us);
}

void RequestHistory::answered(std::uint32_t client, Op op, const Answer& answer, std::int64_t now_us) {
  Fingerprint& seen = clients_.at(client).seen;
  seen.add(2).add(static_cast<int>(op)).add(static_cast<int>(answer.type)).add(static_cast<int>(answer.reason));
  seen.add(answer.token.value_or(0)).add(now_us);
}

void RequestHistory::executed(const Request& request, std::int64_t now_us) {
  Client& client = clients_.at(request.client);
  ++client.requests;
  client.seen.add(3).add(request.lost ? "" : known(request.reply)).add(request.lost ? 1 : 0).add(now_us);
  for (std::size_t i = 0; i < request.words.size(); ++i) {
    if (request.words[i].size() < kShortestValue) continue;
    values_.emplace(request.words[i], "\x01" + std::to_string(request.client) + "." + std::to_string(client.requests) +
                                          "." + std::to_string(i) + "\x02");
  }
  if (request.changed || request.reply.empty()) {
    changes_.add(request.client).add(client.requests).add(now_us);
  }
}

void RequestHistory::struck(std::uint32_t client, int by, std::int64_t now_us) {
  clients_.at(client).seen.add(4).add(by).add(now_us);
}

std::string RequestHistory::known(std::string text) const {
  for (auto value = values_.rbegin(); value != values_.rend(); ++value) {
    const std::string& own = value->first;
    for (std::size_t at = 0; (at = text.find(own, at)) != std::string::npos; at += value->second.size()) {
      text.replace(at, own.size(), value->second);
    }
  }
  return text;
}

std::uint64_t RequestHistory::print() const {
  Fingerprint out(changes_);
  for (const auto& client : clients_) out.add(client.seen.value());
  return out.value();
}

}  // namespace holdfast
