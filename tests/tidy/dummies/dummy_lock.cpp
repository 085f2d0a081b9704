// A lock of no use, for registry_test.sh: with its texts, and its statements, all that adding a lock takes.
#include "lock/lock.hpp"

namespace holdfast {
namespace {

class DummyLock : public Lock {
 public:
  Answer acquire(Session&, Claim&) override { return Answer::busy(); }
};

}  // namespace

extern const LockType lock_dummy_lock;
const LockType lock_dummy_lock{
    .server = "dummy_server",
    .driver = "dummy_driver",
    .make = [] { return std::unique_ptr<Lock>(new DummyLock); },
};

}  // namespace holdfast
