// Words that files of an older holdfast have, and what they are called now. docs/changes.md tells people the same.
#pragma once

#include <cstdint>
#include <string>

namespace holdfast {

// Empty: it was never renamed.
std::string called_now(const std::string& word);

// Why a file is not read whose form is older.
std::string older_form(std::int64_t found, std::int64_t version);

}  // namespace holdfast
