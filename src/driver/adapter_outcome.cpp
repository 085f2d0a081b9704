#include "driver/adapter_outcome.hpp"

namespace holdfast {

Answer outcome_of_answer(const AdapterMessage& said) {
  switch (said.name) {
    case MessageName::ok:
      return said.token ? Answer::granted(*said.token) : Answer::done();
    case MessageName::busy:
      return Answer::busy();
    case MessageName::not_held:
      return Answer::not_held();
    case MessageName::fail:
      return {EventType::fail, Reason::other, {}};
    case MessageName::info:
      return Answer::uncertain();
    case MessageName::hello:  // the reader refuses these as answers
    case MessageName::acquire:
    case MessageName::renew:
    case MessageName::release:
    case MessageName::pulse:
    case MessageName::owned:
    case MessageName::cancel:
    case MessageName::block:
    case MessageName::bye:
    case MessageName::ready:
    case MessageName::yes:
    case MessageName::no:
    case MessageName::lost:
    case MessageName::suspect:
    case MessageName::granted:
    case MessageName::leader:
    case MessageName::log:
    case MessageName::always:
    case MessageName::sometimes:
    case MessageName::reached:
      break;
  }
  return Answer::uncertain();
}

}  // namespace holdfast
