// resource: the data that the lock protects is not damaged.
//
// Rule, from the resource's own log of accepted writes (read back at the end, in the order of their commits), per key:
// violated when an accepted write
// (1) was made from a value that is not the one before it (`base`): a lost update; or
// (2) belongs to a grant that is earlier than one that had already written: a write of a holder of the past.
// g1 is earlier than g2 when g1's acquire had answered before g2's was sent (equal times order nothing), or when g1's
// lease was over while g2's went on, whichever was answered first (hold.hpp: served_before). Kind: that of
// the belief overlap between the two grants concerned, if they overlapped; else `late_write`, if the earlier grant's
// write was sent inside its hold and took effect after it (late_writes.hpp), though the lock was right throughout; else
// `algorithm`.
//
// Exact: the log is the order in which the writes took effect, lost replies included. A lapsed lease without a grant to
// another damages nothing, and is no violation. Not decided: damage between two grants whose overlap is undecided (the
// machine stalled). Memory: one entry per grant (late_writes.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "artifact/error.hpp"
#include "checker/findings.hpp"
#include "checker/late_writes.hpp"
#include "checker/properties/resource.hpp"
#include "checker/property.hpp"

namespace holdfast {
namespace {

class Resource : public Property {
 public:
  explicit Resource(const PropertyContext& context) : context_(context) {}

  void granted(const Hold& hold) override { grants_.add(hold); }

  void ended(const Hold& hold) override {
    grants_.end(hold);
    for (const Hold* other : context_.holds.believers(hold.key)) {
      const auto overlap = belief_overlap(hold, *other, context_.holds.now_ns());
      if (!overlap) continue;
      grants_.add(*overlap, overlap_kind(*overlap, context_.causes, context_.story, Evidence(context_.header)));
    }
  }

  // Holds that are believed to the end overlap too, and are only reported then; so the log waits for `finish`.
  void event(const Event& event) override {
    late_.event(event, context_.holds);
    if (event.actor != Actor::resource) return;
    log_.push_back({event.key, event.client, event.grant, event.number, event.accepted, event.time_ns, event.index});
  }

  bool violated() const override { return findings_.violated(); }

  PropertyVerdict finish() override {
    for (const Write& write : log_) judge(write);
    PropertyVerdict verdict = findings_.verdict();
    verdict.coverage = {{"accepted_writes", static_cast<std::int64_t>(log_.size())},
                        {"writers", static_cast<std::int64_t>(writers_.size())}};
    if (writers_.size() < 2) not_exercised(verdict, writers_.empty() ? "no client wrote" : "only one client wrote");
    return verdict;
  }

 private:
  struct Write {
    std::uint32_t key = 0;
    std::uint32_t client = 0;
    std::uint64_t grant = 0;
    std::uint64_t number = 0;
    AcceptedWrite accepted;
    std::int64_t time_ns = 0;
    std::uint64_t index = 0;
  };
  struct Key {
    std::optional<Write> last;
    std::optional<Write> newest;       // the write whose grant was sent last
    std::int64_t newest_sent_ns = -1;  // send time of that grant
  };

  void judge(const Write& write) {
    if (write.key >= keys_.size()) keys_.resize(write.key + 1);
    Key& key = keys_[write.key];
    if (key.last && write.accepted.sequence <= key.last->accepted.sequence) {
      throw HarnessError(fmt::format("accepted writes are out of order (#{})", write.index));
    }
    writers_.insert(write.client);
    const GrantRegister::Grant* grant = grants_.find(write.client, write.grant);
    if (key.newest && grant && grant->granted_ns < key.newest_sent_ns) {
      damaged(*key.newest, write, "wrote after it, although its own grant was the earlier one");
    } else if (key.newest && grants_.served_before(write.client, write.grant, key.newest->client, key.newest->grant)) {
      damaged(*key.newest, write, "wrote after it, although its own lease had expired before");
    } else if (write.accepted.base != (key.last ? key.last->accepted.value : 0)) {
      damaged(key.last.value_or(write), write, "wrote from an older value, so the write before it was lost");
    }
    key.last = write;
    if (grant && grant->sent_ns > key.newest_sent_ns) {
      key.newest = write;
      key.newest_sent_ns = grant->sent_ns;
    }
  }

  void damaged(const Write& before, const Write& write, const char* how) {
    const OverlapKind* overlap = grants_.overlap(before.client, before.grant, write.client, write.grant);
    if (overlap && overlap->undecided) {
      findings_.undecided([&] { return why_undecided(*overlap, context_.story); });
      return;
    }
    const SentWrite* late = overlap ? nullptr : late_of(before, write);
    const std::string kind = overlap ? overlap->name : late ? "late_write" : "algorithm";
    findings_.add(kind, 0, [&] {
      Witness w;
      w.key = context_.names.keys.at(write.key);
      w.clients = {before.client, write.client};
      w.indices = {before.index, write.index};
      for (const Write* each : {&before, &write}) {
        const GrantRegister::Grant* grant = grants_.find(each->client, each->grant);
        if (!grant) continue;
        w.indices.push_back(grant->index);
        w.from_ns = std::max(w.from_ns, grant->granted_ns);
      }
      if (const SentWrite* sent = late_.sent(write.client, write.number)) {
        w.from_ns = std::max(w.from_ns, sent->accepted_ns == kNever ? sent->sent_ns : sent->accepted_ns);
      }
      w.to_ns = w.from_ns;
      w.text = fmt::format("The resource accepted a write to {} by {}; then {} {}.", context_.story.key(write.key),
                           writer(before), writer(write), how);
      if (late) {
        w.indices.push_back(late->index);
        w.text += fmt::format(
            " The two never held at once: the earlier holder sent its write at {}, during its hold, but the write took "
            "effect only during the later hold, which began at {}.",
            context_.story.at(late->sent_ns, late->index), context_.story.at(w.from_ns));
      }
      return w;
    });
  }

  // "client 3 (grant #881, write #890)": the client's own events, or the resource's, where those are not there.
  std::string writer(const Write& write) const {
    const GrantRegister::Grant* grant = grants_.find(write.client, write.grant);
    const SentWrite* sent = late_.sent(write.client, write.number);
    const std::string granted = grant ? fmt::format("grant #{}, ", grant->index) : "";
    return fmt::format("client {} ({}write #{})", write.client, granted, sent ? sent->index : write.index);
  }

  // The write of the two that belongs to the earlier grant, if it was on its way too long.
  const SentWrite* late_of(const Write& a, const Write& b) const {
    const GrantRegister::Grant* of_a = grants_.find(a.client, a.grant);
    const GrantRegister::Grant* of_b = grants_.find(b.client, b.grant);
    if (!of_a || !of_b) return nullptr;
    const SentWrite* late = late_.find(a.client, a.number, *of_a, *of_b);
    return late ? late : late_.find(b.client, b.number, *of_b, *of_a);
  }

  PropertyContext context_;
  Findings findings_;
  GrantRegister grants_;
  LateWrites late_;
  std::vector<Write> log_;
  std::vector<Key> keys_;
  std::set<std::uint32_t> writers_;
};

}  // namespace

extern const PropertyType property_resource{.words = &words_resource, .make = make_property<Resource>};

}  // namespace holdfast
