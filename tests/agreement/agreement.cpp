// The checker against the references on a million small histories a model, or as many as are asked for:
//
//   build/release/tests/agreement/agreement --count 1000000
//   build/release/tests/agreement/agreement --count 20000 --model plain --seed 7
//
// Each history is judged by both. Besides, every tenth is put beside another on a second key, which must change
// nothing, and every witness must be impossible by itself, and possible without any one of its holds. It prints a line
// a model and, of a mismatch, the history. It fails on a mismatch, on an undecided history if the rules promise a
// decision, and on an unbalanced mix (between a third and two thirds must be legal).
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/agreement/judge.hpp"

namespace holdfast::agreement {
namespace {

// splitmix64: small, quick, and the same everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  int below(int n) {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return static_cast<int>((z ^ z >> 31) % static_cast<std::uint64_t>(n));
  }

 private:
  std::uint64_t state_;
};

struct Options {
  std::int64_t count = 20'000;
  std::uint64_t seed = 1;
  std::int64_t show = 3;  // mismatches, of each model
  std::string model;
};

struct Tally {
  std::int64_t histories = 0;
  std::int64_t legal = 0;
  std::int64_t undecided = 0;
  std::int64_t missed = 0;  // refusals that nothing explains together (judge.hpp)
  std::int64_t pairs_of_keys = 0;
  std::int64_t witnesses = 0;
  std::int64_t doubtful_witnesses = 0;  // possible by themselves, or too large
  std::int64_t mismatches = 0;
};

class Run {
 public:
  Run(Model model, const Options& options) : model_(model), options_(options) {}

  bool run() {
    const auto began = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < options_.count; ++i) one(i);
    const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    const double legal = static_cast<double>(tally_.legal) / static_cast<double>(tally_.histories);
    std::printf(
        "%-11s %9lld histories, %4.1f %% legal, %lld undecided, %lld missed, %lld beside another key, "
        "%lld witnesses: ",
        name_of(model_), static_cast<long long>(tally_.histories), 100 * legal,
        static_cast<long long>(tally_.undecided), static_cast<long long>(tally_.missed),
        static_cast<long long>(tally_.pairs_of_keys), static_cast<long long>(tally_.witnesses));
    if (tally_.doubtful_witnesses > 0)
      std::printf("%lld of them doubtful, ", static_cast<long long>(tally_.doubtful_witnesses));
    std::printf("%lld mismatches (%.0f s)\n", static_cast<long long>(tally_.mismatches), s);
    std::fflush(stdout);
    const bool mixed = tally_.histories < 1000 || (legal > 0.33 && legal < 0.67);
    if (!mixed) std::printf("          the mix is crooked\n");
    const bool decided = tally_.undecided * 500 <= tally_.histories;
    if (!decided) std::printf("          too many undecided\n");
    const bool shown = tally_.doubtful_witnesses * 50 <= tally_.witnesses;
    if (!shown) std::printf("          too many witnesses that show nothing\n");
    return tally_.mismatches == 0 && mixed && decided && shown;
  }

 private:
  void one(std::int64_t number) {
    Dice dice(options_.seed * 1'000'003 + static_cast<std::uint64_t>(number) * 16 + static_cast<std::uint64_t>(model_));
    const Operations operations = Simulation(model_, [&](int n) { return dice.below(n); }).run();
    if (operations.empty()) return;
    ++tally_.histories;
    const TrialVerdict verdict = checked(model_, operations);
    const Judgement said = verdict.judgement;
    const Compared compared = compare(model_, operations, said);
    const bool is_legal = compared.legal;
    tally_.legal += is_legal ? 1 : 0;
    tally_.missed += compared.missed() ? 1 : 0;
    tally_.undecided += said == Judgement::undecided ? 1 : 0;
    if (!compared.agrees()) {
      mismatch(number, operations, is_legal ? "legal, found violated" : "illegal, not found", verdict);
    }
    if (is_legal && violated_by_a_coarse_clock(model_, operations)) {
      mismatch(number, operations, "legal, found violated by a coarse clock", checked(model_, operations, kTies));
    }
    if (said == Judgement::violated) look_at_witnesses(number, operations, verdict);
    if (number % 10 == 0) beside(number, operations, said);
    before_ = operations;
    before_said_ = said;
  }

  void beside(std::int64_t number, const Operations& operations, Judgement said) {
    ++tally_.pairs_of_keys;
    const bool either = said == Judgement::violated || before_said_ == Judgement::violated;
    const Operations both = side_by_side(before_, operations);
    const TrialVerdict verdict = checked(model_, both);
    if ((verdict.judgement == Judgement::violated) == either) return;
    mismatch(number, both, "judged otherwise beside another key", verdict);
  }

  void look_at_witnesses(std::int64_t number, const Operations& operations, const TrialVerdict& verdict) {
    for (const PropertyVerdict& property : verdict.properties) {
      // A lapsed holder's belief is reported, and breaks no promise.
      if (model_ == Model::lease && property.property == "mutual_exclusion") continue;
      if (property.judgement != Judgement::violated) continue;
      for (const Witness& witness : property.witnesses) {
        ++tally_.witnesses;
        const bool exclusion = property.property == "mutual_exclusion" || property.property == "lease_exclusion";
        const Operations few =
            exclusion ? as_exclusion(named(model_, operations, witness)) : named(model_, operations, witness);
        if (legal(model_, few)) doubtful(number, operations, "a witness that is possible: " + witness.text, verdict);
        // A second grant to a holder is impossible by itself, and has its own witness.
        if (of_kind(verdict, "granted_twice")) continue;
        const auto all = model_ == Model::plain ? without_each_plain_hold(few) : without_each_hold(few);
        for (const Operations& fewer : all) {
          if (!fewer.empty() && !legal(model_, fewer) && !legal(model_, before_its_answer(fewer))) {
            doubtful(number, operations, "a witness that is too large: " + witness.text, verdict);
            break;
          }
        }
      }
    }
  }

  static bool of_kind(const TrialVerdict& verdict, const char* kind) {
    return std::any_of(verdict.properties.begin(), verdict.properties.end(),
                       [&](const PropertyVerdict& p) { return p.kinds.count(kind) > 0; });
  }

  // Among a lease's renewals only the one that promised most, or last, is named; another may be the relevant one.
  void doubtful(std::int64_t number, const Operations& operations, const std::string& what, const TrialVerdict& v) {
    if (model_ != Model::lease) return mismatch(number, operations, what, v);
    ++tally_.doubtful_witnesses;
  }

  void mismatch(std::int64_t number, const Operations& operations, const std::string& what, const TrialVerdict& v) {
    if (++tally_.mismatches > options_.show) return;
    std::printf("%s, number %lld of seed %llu: %s\n%s", name_of(model_), static_cast<long long>(number),
                static_cast<unsigned long long>(options_.seed), what.c_str(), shown(operations).c_str());
    for (const PropertyVerdict& p : v.properties) {
      if (p.judgement == Judgement::violated) std::printf("  %s %s\n", p.property.c_str(), p.kind.c_str());
    }
  }

  Model model_;
  const Options& options_;
  Tally tally_;
  Operations before_;
  Judgement before_said_ = Judgement::holds;
};

int run(const Options& options) {
  bool agreed = true;
  bool any = false;
  for (const Model model : {Model::owner, Model::reentrant, Model::plain, Model::fenced, Model::lease,
                            Model::read_write, Model::semaphore}) {
    if (!options.model.empty() && options.model != name_of(model)) continue;
    any = true;
    agreed = Run(model, options).run() && agreed;
  }
  if (!any)
    std::fprintf(stderr, "agreement: known models: owner, reentrant, plain, fenced, lease, read_write, semaphore:2\n");
  return any ? (agreed ? 0 : 1) : 2;
}

}  // namespace
}  // namespace holdfast::agreement

int main(int argc, char** argv) {
  holdfast::agreement::Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string what = argv[i];
    if (what == "--count") options.count = std::atoll(argv[i + 1]);
    if (what == "--seed") options.seed = std::strtoull(argv[i + 1], nullptr, 10);
    if (what == "--show") options.show = std::atoll(argv[i + 1]);
    if (what == "--model") options.model = argv[i + 1];
  }
  return holdfast::agreement::run(options);
}
