// The rule for a client that is refused for ever while others are granted, in a run of our own.
//
// A refusal counts against the lock if the key was surely free (surely_free.hpp) before the attempt was sent, stayed so
// until it was answered, no other client asked for it meanwhile, and no fault reached the client. Violated when such
// refusals of one client go on, without a grant to it, until the history ends: at least three of them, over the
// progress bound or longer, while others were granted the key twice or more in between. So neither an unfair lock is
// accused, under which a client meets others whenever it asks, nor one that refuses a free key once.
//
// Where a second client has such refusals since its last grant, however few, and a single one is granted the key, what
// refuses is not in each of them: its releases give nothing back. Where readers share the key, each refused attempt was
// a writer's, and a reader had died before the first, that reader is still counted.
//
// Threads of a client's program count as that client. A lock that is never released is not judged, nor is a refusal
// while another key is held.
//
// Memory: a few numbers for each key and client.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "checker/property.hpp"
#include "checker/surely_free.hpp"

namespace holdfast {

struct KeptOut {
  std::uint32_t key = 0;
  std::uint32_t client = 0;
  std::uint32_t process = 0;
  std::int64_t refusals = 0;
  std::int64_t others_granted = 0;  // the key, between the first refusal and the last
  std::int64_t from_ns = 0;         // the first was sent
  std::int64_t to_ns = 0;           // the last was answered
  std::vector<std::uint64_t> indices;
  // The one client that was granted the key meanwhile, while several are refused; nothing: it is not so.
  std::optional<std::uint32_t> to_one;
  bool behind_reader = false;  // it asked for the key alone, and a reader of it was gone without a release
};

class KeptOutRule {
 public:
  using Report = std::function<void(const KeptOut&)>;
  KeptOutRule(const PropertyContext& context, const SurelyFree& free, Report report)
      : context_(context), free_(free), report_(std::move(report)) {}

  void granted(const Hold& hold);
  void event(const Event& event);
  void finish();

 private:
  // The last answers to any client's operation: no other client's may lie beside a refusal.
  struct Answered {
    std::uint32_t client = 0;
    std::int64_t ns = -1;
  };
  struct Key {
    Answered last, last_of_another;                       // the latter's client is another than the former's
    std::map<std::uint32_t, std::int64_t> granted_ns;     // by client: its last grant
    std::map<std::uint32_t, KeptOut> refused;             // by client, since its last grant
    std::map<std::uint32_t, std::int64_t> granted_since;  // others, since its last refusal that counts
  };
  Key& at(std::uint32_t key);
  void refused(Key& key, const Event& event);
  static std::optional<std::uint32_t> only_one_granted(const Key& key, std::int64_t since_ns);
  static bool is_violated(const KeptOut& found, std::int64_t bound_ns);
  bool anything_held() const;
  bool others_asked(const Key& key, const Event& event, std::int64_t invoked_ns) const;

  PropertyContext context_;
  const SurelyFree& free_;
  Report report_;
  std::vector<Key> keys_;
};

Witness kept_out_witness(const PropertyContext& context, const KeptOut& found);

}  // namespace holdfast
