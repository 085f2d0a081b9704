// A world whose finds people are shown: what explorer.hpp needs of a world beyond the search.
#pragma once

#include <string>

#include "explore/trace.hpp"
#include "explore/world.hpp"

namespace holdfast {

class ToldWorld : public SearchWorld {
 public:
  // Of the severe violation of the last schedule: its cause, in words (story.hpp).
  virtual std::string cause() const = 0;
  // From the next reset on there is a trace, with plain names or with those of the search.
  virtual void for_people(bool wanted, bool plain_names) = 0;
  virtual const Trace& trace() const = 0;
  // The same words may lead elsewhere another time: a find that does not come again is then left out, not an error.
  virtual bool may_differ() const { return false; }
  virtual bool waited() const { return false; }  // a statement waited for a row lock in the last schedule
};

}  // namespace holdfast
