// Detects SQL statements that end a transaction, by their first words.
#pragma once

#include <string_view>

namespace holdfast {

// COMMIT, or ROLLBACK unless to a savepoint. PostgreSQL also uses END and ABORT; no other statement of any server
// begins with them.
bool ends_transaction(std::string_view sql);

}  // namespace holdfast
