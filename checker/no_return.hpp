// The rule for a call that never came back, in a run of our own: the program of a client had to be ended, since a call
// of its was still open long after everything was healed.
//
// The nemesis records it (`unanswered`, before it ends the client). Reported if the call had been open, since it was
// made and all faults were healed, for longer than the lock may take to be free again: its lease and the progress
// bound. A shorter time, measured waits for a processor, or a client outside any call, make it undecided.
//
// It cannot distinguish a program that waits for ever from one that would have answered later still.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "checker/property.hpp"

namespace holdfast {

struct NoReturn {
  std::uint32_t process = 0;
  Operation call;
  std::int64_t since_ns = 0;  // when it was made, or when everything was healed, if that was later
  std::int64_t until_ns = 0;  // when its client was ended
  std::uint64_t until_index = 0;
};

class NoReturnRule {
 public:
  using Report = std::function<void(const NoReturn&)>;
  using Doubt = std::function<void(const std::string&)>;
  NoReturnRule(const PropertyContext& context, Report report, Doubt doubt)
      : context_(context), report_(std::move(report)), doubt_(std::move(doubt)) {}

  void event(const Event& event);

 private:
  void unanswered(std::uint32_t client, const Event& event);
  void look(const NoReturn& found);

  PropertyContext context_;
  Report report_;
  Doubt doubt_;
  std::int64_t healed_ns_ = -1;
};

// Its story.
Witness no_return_witness(const PropertyContext& context, const NoReturn& found);

}  // namespace holdfast
