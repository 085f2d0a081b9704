// The place in a user's sources that defines an added lock: the first statement of `acquire` in a lock's file, or the
// adapter's `acquire`. For an adapter whose command names no source file it is the manifest.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "artifact/source_place.hpp"

namespace holdfast {

// `lock`: without a variant. The file's path is absolute. Nothing: a lock in C++, or a command without a file.
std::optional<SourcePlace> lock_source(const std::string& lock);

// First line of a program that defines or handles `acquire`; 1 if there is none. A call of another object's `acquire`
// does not count, and neither does a word in a sentence.
std::int64_t line_of_acquire(std::string_view program);

}  // namespace holdfast
