// The words of a line of a history that are read without the general parser: the names of its fields, and what they may
// say.
//
//   PlainField field = kUnknown;
//   if (!kFieldWords.find(as_word("process"), field)) ...      // none, or a longer one
#pragma once

#include <cstdint>

#include "history/event.hpp"
#include "history/short_words.hpp"

namespace holdfast {

enum PlainField : std::uint8_t {
  kUnknown,
  kIndex,
  kTime,
  kProcess,
  kType,
  kF,
  kKey,
  kToken,
  kLease,
  kReason,
  kClient,
  kOp,
  kGrant,
  kMode,
  kBackground,
  kStatements,
  kFieldCount
};

inline constexpr std::uint32_t kNeededFields = 1U << kProcess | 1U << kType | 1U << kF;

inline constexpr ShortWords<PlainField, 13> kFieldWords({{{as_word("index"), kIndex},
                                                          {as_word("time"), kTime},
                                                          {as_word("process"), kProcess},
                                                          {as_word("type"), kType},
                                                          {as_word("f"), kF},
                                                          {as_word("key"), kKey},
                                                          {as_word("token"), kToken},
                                                          {as_word("lease_ms"), kLease},
                                                          {as_word("reason"), kReason},
                                                          {as_word("client"), kClient},
                                                          {as_word("op"), kOp},
                                                          {as_word("grant"), kGrant},
                                                          {as_word("mode"), kMode}}});
inline constexpr ShortWords<EventType, 4> kTypeWords({{{as_word("invoke"), EventType::invoke},
                                                       {as_word("ok"), EventType::ok},
                                                       {as_word("fail"), EventType::fail},
                                                       {as_word("info"), EventType::info}}});
inline constexpr ShortWords<Op, 5> kOpWords({{{as_word("acquire"), Op::acquire},
                                              {as_word("release"), Op::release},
                                              {as_word("renew"), Op::renew},
                                              {as_word("write"), Op::write},
                                              {as_word("leave"), Op::leave}}});

}  // namespace holdfast
