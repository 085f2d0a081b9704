// What stands in a history of somebody else's and no property that applies looks at: told beside the verdict, so that
// nobody takes it for judged.
//
//   Unjudged unjudged(context, fencing_applies);
//   unjudged.event(event);                 // every event, after Holds has seen it
//   for (const std::string& what : unjudged.told()) ...
//
// Memory: a few numbers a key.
#pragma once

#include <string>
#include <vector>

#include "checker/latest_token.hpp"
#include "checker/property.hpp"

namespace holdfast {

class Unjudged {
 public:
  Unjudged(const PropertyContext& context, bool tokens_are_judged)
      : context_(context), tokens_are_judged_(tokens_are_judged) {}

  void event(const Event& event);
  std::vector<std::string> told() const;

 private:
  struct Seen {
    std::int64_t count = 0;
    std::uint64_t first = 0;
    std::uint64_t after = 0;
  };
  static void see(Seen& seen, std::uint64_t index, std::uint64_t after = 0);
  void granted(const Event& event);

  PropertyContext context_;
  bool tokens_are_judged_;
  std::vector<LatestToken> tokens_;  // by key
  Seen falling_;
  Seen without_reason_;
  Seen renewed_nothing_;
};

}  // namespace holdfast
