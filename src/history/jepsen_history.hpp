// Jepsen's own history.edn of a lock or mutex test, as a foreign history.
//
//   {:type :invoke, :f :acquire, :value nil, :process 0, :time 3291485317, :index 0}
//   {:type :ok,     :f :acquire, :value nil, :process 0, :time 3292014478, :index 1}
//
// `:acquire`, `:lock` and `:release`, `:unlock` are taken, `:renew` and `:write` as well; operations of the nemesis and
// of other named processes are skipped. The key is `:key`, or the first of a `:value` of two (jepsen.independent). A
// token is
// `:token` or `:fence`, also inside a `:value` that is a map; a lease is `:lease-ms`. Of a failure's `:error` (or of
// the first item, if it is a list) `:busy` and `:not-held` mean what they mean in docs/history.md.
//
// Throws BadInput("FILE:LINE: ...") for whatever the JSON lines would be refused for.
#pragma once

#include "history/edn.hpp"
#include "history/event_rules.hpp"

namespace holdfast {

class JepsenHistory : public HistorySource {
 public:
  explicit JepsenHistory(const std::string& path) : forms_(path) {}

  const HistoryHeader& header() const override { return header_; }
  const Names& names() const override { return rules_.names(); }
  const std::string& path() const override { return forms_.path(); }
  std::uint64_t position() const override { return forms_.line(); }
  bool timed() const override { return rules_.timed(); }
  bool next(Event& event) override;

 private:
  bool read(Event& event);

  EdnReader forms_;
  EdnValue form_;
  HistoryHeader header_;
  HistoryLine line_;
  EventRules rules_;
};

}  // namespace holdfast
