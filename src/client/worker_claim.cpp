// What a worker calls itself, and what it shows of what it believes.
#include "client/worker.hpp"

namespace holdfast {

// A UUID in form: unique in the trial, the same in each repetition of the plan. Every grant has an owner of its own, as
// the documents have it: a release that arrives late, of an earlier grant, then cannot free a later one of the same
// client.
void Worker::new_owner() {
  static constexpr char kDigits[] = "0123456789abcdef";
  owner_.assign(36, '-');
  for (std::size_t i = 0; i < owner_.size(); ++i) {
    if (i != 8 && i != 13 && i != 18 && i != 23) owner_[i] = kDigits[random_() % 16];
  }
}

// What a claim calls itself. An id that ends in a colon is never part of another's.
void Worker::name(Claim& claim) const {
  claim.owner = owner_;
  const std::string& shared = plan_.load.server_id;
  claim.server_id = shared == "one"        ? "server:"
                    : shared == "per_node" ? session_.address() + ":"
                                           : "c" + std::to_string(self_.client) + ":";
  claim.value = plan_.load.value == "with_own_id" ? claim.server_id + owner_ : owner_;
}

// From the answer until its release was answered, or it left without one.
void Worker::begin_belief(const Grant& grant) {
  slot_.holding.fetch_add(1);
  slot_.believes.at(grant.key).fetch_add(1);
  session_.standing().believes = session_.standing().believes_this = true;
}

void Worker::end_belief(const Grant& grant) {
  session_.standing().believes = session_.standing().believes_this = false;
  slot_.believes.at(grant.key).fetch_sub(1);
  slot_.holding.fetch_sub(1);
}

void Worker::waits(bool yes) {
  slot_.waiting.store(yes ? 1 : 0);
  session_.standing().waits = yes;
}

}  // namespace holdfast
