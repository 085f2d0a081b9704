"""Two locks on Redis, tried by holdfast beside other tests: one is sound, and one releases a lock that it lost.

    pip install holdfast-*.whl pytest redis && pytest
"""

import redis
from holdfast import Adapter, lock
from redis.backoff import NoBackoff
from redis.retry import Retry

DELETE_OWN = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end"


@lock(servers=["redis"])
class TokenLock(Adapter):
    def __init__(self, hello):
        super().__init__(hello)
        server = hello["servers"][0]
        # redis-py repeats a request whose reply was lost: the second release would find nothing, and answer "not held".
        self.redis = redis.Redis(server["host"], server["port"], retry=Retry(NoBackoff(), 0))
        self.owner = hello["owner"]

    def acquire(self, ask):
        token = f"{self.owner}:{ask['n']}"
        if not self.redis.set(ask["lock"], token, nx=True, px=ask["lease_ms"]):
            return "busy"
        self.held[self.key(ask)] = token
        return "ok"

    def release(self, ask):
        deleted = self.redis.eval(DELETE_OWN, 1, ask["lock"], self.held[self.key(ask)])
        return "ok" if deleted else "not_held"


@lock(servers=["redis"])
class GetThenDelLock(TokenLock):
    """The key may expire, and be another's, between GET and DEL."""

    def release(self, ask):
        if self.redis.get(ask["lock"]) != self.held[self.key(ask)].encode():
            return "not_held"
        self.redis.delete(ask["lock"])
        return "ok"


def test_token_lock(holdfast):
    holdfast.try_lock(TokenLock).expect("as_safe_as_a_lease")


def test_get_then_del_lock(holdfast):
    """Fails: holdfast shows the order of requests that frees another client's lock."""
    holdfast.try_lock(GetThenDelLock).expect("as_safe_as_a_lease")
