// What an owner may be answered, judged strictly, in bare histories: a release that answers ok needs a grant before it
// (`release_without_grant`), and nobody is granted what it holds already (`granted_twice`), unless the model is
// reentrant.
//
// Legal: a release after an indeterminate acquire (it cleans up), a release sent again after one that failed or stayed
// open, and a grant to an owner whose lease may have lapsed.
//
// Not for runs of our own: what a lock answers to nonsense there is its own affair, as long as it harms nobody.
#pragma once

#include <vector>

#include "checker/findings.hpp"
#include "checker/property.hpp"

namespace holdfast {

class OwnerRule {
 public:
  OwnerRule(const PropertyContext& context, Findings& findings) : context_(context), findings_(findings) {}
  void granted(const Tenure& tenure);
  void completed(const Event& event, const Operation& operation);

 private:
  void acquired(const Event& event, const Operation& operation);
  void released(const Event& event, const Operation& operation);
  void allow_release(std::uint32_t process, bool allowed);

  PropertyContext context_;
  Findings& findings_;
  std::vector<bool> may_release_;  // by process
};

}  // namespace holdfast
