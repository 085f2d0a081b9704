// A lock in a transaction: read the row, and insert or take it over by what was read. Sound where the read locks what
// it reads and the key is unique; what it asks of the server stands in locks/locked_read.sql.
#pragma once

#include "tests/planted/row_lease.hpp"

namespace holdfast::planted {

class ReadThenWrite : public RowLease {
 public:
  Answer acquire(Session& session, Claim& claim) override;
};

}  // namespace holdfast::planted
