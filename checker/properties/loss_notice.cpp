// loss_notice: a holder that lost its lock to another learns it within the time that the lock promises.
//
// Rule: violated when a former holder (loss_notices.hpp) was notified later than the promise after another's grant was
// read (`late_notice`), or ended its belief without notice after more than that time (`no_notice`). The time in which a
// fault had stopped the former holder's program does not count, since a stopped program cannot learn anything; if only
// measured waits for a processor make the difference it is undecided. A fault with a cause that struck the former
// holder meanwhile gives the violation its kind: a suspicion (causes.hpp).
//
// Exact, except that the client polls for notices every few milliseconds. Applies only to locks that promise it; the
// time is measured for all others, too (observations.hpp). It is not exercised if no holder lost its lock while it
// believed.
#include "checker/properties/loss_notice.hpp"

#include <fmt/format.h>

#include "checker/findings.hpp"
#include "checker/loss_notices.hpp"

namespace holdfast {
namespace {

class LossNoticeProperty : public Property {
 public:
  explicit LossNoticeProperty(const PropertyContext& context)
      : context_(context), losses_(context, [this](const LossNotice& one) { judge(one); }) {}

  void granted(const Hold& hold) override { losses_.granted(hold); }
  void ended(const Hold& hold) override { losses_.ended(hold); }
  void event(const Event& event) override { losses_.event(event); }
  bool violated() const override { return findings_.violated(); }

  PropertyVerdict finish() override {
    PropertyVerdict verdict = findings_.verdict();
    verdict.coverage = {
        {"former_holders", former_holders_}, {"told", told_}, {"told_before_another", losses_.told_before_another()}};
    if (former_holders_ + losses_.told_before_another() == 0) {
      not_exercised(verdict, "no holder lost the lock while it acted as holder");
    }
    return verdict;
  }

 private:
  void judge(const LossNotice& one) {
    ++former_holders_;
    told_ += one.told ? 1 : 0;
    const std::int64_t promised_ns = context_.header.loss_notice_ns;
    const std::int64_t stopped = context_.faults.stopped_ns(one.former.client, one.lost_ns, one.known_ns);
    const std::int64_t ran_ns = one.lasted_ns() - stopped;
    if (ran_ns <= promised_ns) return;
    const Stalled stalled = context_.faults.stalled_between(one.former.client, one.lost_ns, one.known_ns);
    if (ran_ns - stalled.waited_ns <= promised_ns) return doubt(one, stalled);
    const Hold& former = one.former;
    const FaultRecord* fault = context_.faults.cause_between({{former.client, former.sent_ns}}, one.known_ns);
    const std::string kind = fault != nullptr ? fault->cause : one.told ? "late_notice" : "no_notice";
    findings_.add(kind, ran_ns, [&] { return witness(one, stopped, fault); });
  }

  void doubt(const LossNotice& one, const Stalled& stalled) {
    const Story& story = context_.story;
    findings_.undecided([&] {
      return fmt::format("machine stalled {}: {} did not learn for {} that it had lost {}",
                         story.lasting(stalled.waited_ns), story.who(one.former), story.lasting(one.lasted_ns()),
                         story.key(one.former.key));
    });
  }

  Witness witness(const LossNotice& one, std::int64_t stopped, const FaultRecord* fault) const {
    const Story& story = context_.story;
    const Hold& former = one.former;
    Witness out{context_.names.keys.at(former.key),
                "",
                {former.invoke_index, former.grant_index, one.lost_index, former.end_index},
                {former.client, one.next_client},
                one.lost_ns,
                one.known_ns,
                ""};
    const char* how = one.told            ? "learned of its loss"
                      : former.believed() ? "still had not learned of its loss"
                                          : "released it without learning of its loss";
    out.text = fmt::format(
        "{} {} was granted the lock at {}, and {} {} at {}: after {}{}, where the lock promises to report a loss "
        "within {}.",
        story.held(former), story.who(one.next_process, one.next_client), story.at(one.lost_ns, one.lost_index),
        story.who(former), how, story.at(one.known_ns, former.end_index), story.lasting(one.lasted_ns()),
        stopped_words(stopped), story.lasting(context_.header.loss_notice_ns));
    out.text += story.suspicion(fault);
    return out;
  }

  std::string stopped_words(std::int64_t stopped) const {
    if (stopped == 0) return "";
    return fmt::format(", {} of which it was stopped by a fault", context_.story.lasting(stopped));
  }

  PropertyContext context_;
  Findings findings_;
  LossNotices losses_;
  std::int64_t former_holders_ = 0;
  std::int64_t told_ = 0;
};

}  // namespace

extern const PropertyType property_loss_notice{
    .words = &words_loss_notice, .models = "", .make = make_property<LossNoticeProperty>};

}  // namespace holdfast
