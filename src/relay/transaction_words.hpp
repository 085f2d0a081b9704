// Whether a statement of SQL ends a transaction, by its first words.
#pragma once

#include <string_view>

namespace holdfast {

// COMMIT, or ROLLBACK that is not to a savepoint. END and ABORT are PostgreSQL's words for them; no other statement of
// any server begins with them.
bool ends_transaction(std::string_view sql);

}  // namespace holdfast
