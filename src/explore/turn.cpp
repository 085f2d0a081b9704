#include "explore/turn.hpp"

#include "explore/fingerprint.hpp"

namespace holdfast {

std::uint64_t Told::print() const {
  Fingerprint print;
  print.add(now_us).add(ahead_us).add(answer ? 1 : 0).add(failure ? 1 : 0).add(watch ? 1 : 0);
  if (answer) print.add(answer->print).add(answer->reply.error);  // an error that no store gave has no print
  if (failure) print.add(failure->definite ? 1 : 0).add(static_cast<int>(failure->reason)).add(failure->error);
  if (watch) print.add(watch->next_us).add(watch->claim ? 1 : 0);
  if (watch && watch->claim) {
    print.add(watch->claim->owner).add(watch->claim->token).add(watch->claim->deadline_ns).add(watch->claim->value);
  }
  return print.value();
}

}  // namespace holdfast
