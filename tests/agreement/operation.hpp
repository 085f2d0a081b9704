// Small made-up histories: operations with windows, and as a source of events for the checker, without a file.
//
// Times are distinct and small; in the history each is a second, so that leases are whole milliseconds.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "history/event_rules.hpp"

namespace holdfast::agreement {

constexpr int kNoAnswer = 1 << 20;
constexpr std::int64_t kTick_ns = 1'000'000'000;

enum class Does : std::uint8_t { acquire, renew, release };
enum class Answered : std::uint8_t {
  ok,
  refused,
  failed,
  nothing
};  // refused: busy or not_held; nothing: info, or no answer

struct Operation {
  int process = 0;
  Does does = Does::acquire;
  Answered said = Answered::ok;
  int invoked = 0;
  int answered = kNoAnswer;
  std::uint64_t token = 0;
  int lease = 0;
  bool told_when_asked = false;  // its lease stands on the invocation, too, so it is known without an answer
  int key = 0;
  bool shared = false;

  bool is(Does what, Answered how) const { return does == what && said == how; }
};
using Operations = std::vector<Operation>;

// The operations, one a line, for people.
inline std::string shown(const Operations& operations) {
  static const char* const kDoes[] = {"acquire", "renew", "release"};
  static const char* const kSaid[] = {"ok", "refused", "failed", "?"};
  std::string text;
  for (const Operation& o : operations) {
    text += std::to_string(o.process) + " " + kDoes[static_cast<int>(o.does)] + " " + kSaid[static_cast<int>(o.said)] +
            " " + std::to_string(o.invoked) + ".." + (o.answered == kNoAnswer ? "" : std::to_string(o.answered)) +
            (o.token ? " token " + std::to_string(o.token) : "") +
            (o.lease ? (o.told_when_asked ? " asks for lease " : " lease ") + std::to_string(o.lease) : "") +
            (o.key ? " key " + std::to_string(o.key) : "") + (o.shared ? " shared" : "") + "\n";
  }
  return text;
}

// The events in order of time; invocations first if times are equal. index = place. By a coarse clock, whose tick is
// `ties` of the operations' own, events of equal time come process by process.
class ToldHistory : public HistorySource {
 public:
  explicit ToldHistory(const Operations& operations, int ties = 1) : ties_(ties) {
    for (std::size_t i = 0; i < operations.size(); ++i) {
      moments_.push_back({operations[i].invoked, true, i});
      if (operations[i].answered != kNoAnswer) moments_.push_back({operations[i].answered, false, i});
    }
    std::stable_sort(moments_.begin(), moments_.end(), [](const Moment& a, const Moment& b) {
      return a.time != b.time ? a.time < b.time : a.invocation && !b.invocation;
    });
    operations_ = &operations;
    if (ties == 1) return;
    std::stable_sort(moments_.begin(), moments_.end(), [&](const Moment& a, const Moment& b) {
      const auto place = [&](const Moment& m) { return std::pair(m.time / ties, operations[m.operation].process); };
      return place(a) < place(b);
    });
  }
  const HistoryHeader& header() const override { return header_; }
  const Names& names() const override { return rules_.names(); }
  const std::string& path() const override { return path_; }
  std::uint64_t position() const override { return at_; }

  bool next(Event& event) override {
    if (at_ == moments_.size()) return false;
    const Moment& moment = moments_[at_++];
    const Operation& o = (*operations_)[moment.operation];
    clear(event);
    event.time_ns = moment.time / ties_ * kTick_ns;
    event.op = o.does == Does::acquire ? Op::acquire : o.does == Does::renew ? Op::renew : Op::release;
    event.shared = o.shared;
    if (!moment.invocation) answer(event, o);
    if (moment.invocation && o.told_when_asked) event.lease_ns = o.lease / ties_ * kTick_ns;
    line_.process = std::to_string(o.process);
    line_.key = std::to_string(o.key);
    line_.has_time = line_.has_key = true;
    rules_.admit(event, line_);
    return true;
  }
  // The operation that an event belongs to.
  std::size_t operation_of(std::uint64_t index) const { return moments_.at(index).operation; }

 private:
  struct Moment {
    int time = 0;
    bool invocation = false;
    std::size_t operation = 0;
  };
  void answer(Event& event, const Operation& o) const {
    event.type = o.said == Answered::ok        ? EventType::ok
                 : o.said == Answered::nothing ? EventType::info
                                               : EventType::fail;
    if (o.said == Answered::refused) event.reason = o.does == Does::acquire ? Reason::busy : Reason::not_held;
    if (o.said == Answered::failed) event.reason = Reason::conflict;
    if (o.token != 0 && o.said == Answered::ok) event.token = o.token;
    if (o.lease != 0 && o.said == Answered::ok) event.lease_ns = o.lease / ties_ * kTick_ns;
  }

  int ties_;
  HistoryHeader header_;
  std::string path_ = "told";
  EventRules rules_;
  HistoryLine line_;
  const Operations* operations_ = nullptr;
  std::vector<Moment> moments_;
  std::size_t at_ = 0;
};

}  // namespace holdfast::agreement
