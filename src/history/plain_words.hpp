// Words in a history line that are read without the general parser: field names and their values.
//
//   PlainField field = kFieldUnknown;
//   if (!kFieldWords.find(as_word("process"), field)) ...      // unknown, or longer
#pragma once

#include <cstdint>

#include "history/event.hpp"
#include "history/short_words.hpp"

namespace holdfast {

enum PlainField : std::uint8_t {
  kFieldUnknown,
  kFieldIndex,
  kFieldTime,
  kFieldProcess,
  kFieldType,
  kFieldF,
  kFieldKey,
  kFieldToken,
  kFieldLease,
  kFieldReason,
  kFieldClient,
  kFieldOp,
  kFieldGrant,
  kFieldMode,
  kFieldBackground,
  kFieldStatements,
  kFieldCount
};

inline constexpr std::uint32_t kNeededFields = 1U << kFieldProcess | 1U << kFieldType | 1U << kFieldF;

inline constexpr ShortWords<PlainField, 13> kFieldWords({{{as_word("index"), kFieldIndex},
                                                          {as_word("time"), kFieldTime},
                                                          {as_word("process"), kFieldProcess},
                                                          {as_word("type"), kFieldType},
                                                          {as_word("f"), kFieldF},
                                                          {as_word("key"), kFieldKey},
                                                          {as_word("token"), kFieldToken},
                                                          {as_word("lease_ms"), kFieldLease},
                                                          {as_word("reason"), kFieldReason},
                                                          {as_word("client"), kFieldClient},
                                                          {as_word("op"), kFieldOp},
                                                          {as_word("grant"), kFieldGrant},
                                                          {as_word("mode"), kFieldMode}}});
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
