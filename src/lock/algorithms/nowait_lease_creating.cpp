// Document 003, the beginning of its getLock: whoever asks looks whether the table is there, and creates it if not. The
// look and the creation are two steps.
#include "lock/nowait_row.hpp"

namespace holdfast {
namespace {

constexpr int kNoSuchTable = 1146;

class NowaitLeaseCreating : public NowaitRow {
 public:
  Answer acquire(Session& session, Claim& claim) override {
    const Reply found = session.attempt("find_table", {});
    if (found.error == kNoSuchTable) {
      session.execute("create_table", {});
    } else {
      expect_ok("find_table", found);
    }
    return NowaitRow::acquire(session, claim);
  }
};

}  // namespace

extern const LockType lock_nowait_lease_creating;
const LockType lock_nowait_lease_creating{
    .about = "nowait_lease whose acquire looks for the table and creates it, as printed",
    .document = "003",
    .server = "mysql",
    .texts =
        {.does = "`nowait_lease` with the beginning of the document's getLock: it looks whether the table is there, "
                 "and creates it if not.",
         .rules =
             "003:58|the table is looked for at each attempt\n"
             "003:61|it is created if it is not there; an error of that is not caught\n"
             "ours|how it is looked for and created: the document asks its framework, which may do either otherwise",
         .flaws = "The look and the creation are two steps: of those who ask first all but one get an error, which "
                  "the document does not catch.\n"
                  "CREATE TABLE ends the caller's open transaction: what the caller wrote before is committed.\n"
                  "All that `nowait_lease` suffers from.",
         .when = "The table is not there yet; A and B ask at the same moment.",
         .worst = "looks for the table: none|\n"
                  "|looks for the table: none\n"
                  "creates it, inserts its row: granted|\n"
                  "|creates it: error 1050, the table is there; its caller gets an exception instead of an answer",
         .instead = "A table that is made when the application is installed; and `fenced_lease`, with a resource "
                    "that checks the token."},
    .make = [] { return std::unique_ptr<Lock>(new NowaitLeaseCreating); },
};

}  // namespace holdfast
