"""A lock on Redis whose waiters subscribe to its releases (expected.json names the report)."""

import time

from redis_locks import Token, until


class SubscribesLate(Token):
    """Refused, it subscribes to the channel of the releases and sleeps until a message comes, for a lease at most.
    What is published between the refusal and the subscription reaches nobody."""

    CAN = ["wait"]
    FREE = """if redis.call("get", KEYS[1]) ~= ARGV[1] then return 0 end
      redis.call("del", KEYS[1])
      redis.call("publish", KEYS[1] .. ":released", "1")
      return 1"""

    def acquire(self, ask):
        said = Token.acquire(self, ask)
        if said == "ok" or ask.get("wait_ms") == 0:
            return said
        end = until(ask)
        with self.redis.pubsub() as channel:
            channel.subscribe(ask["lock"] + ":released")
            if self.twin:
                self.heard(channel, "subscribe", end)
                said = Token.acquire(self, ask)  # it may have become free before the subscription
            while said == "busy" and time.monotonic() < end:
                self.heard(channel, "message", min(end, time.monotonic() + ask["lease_ms"] / 1000))
                said = Token.acquire(self, ask)
        return said

    def heard(self, channel, kind, end):
        """Waits for a message of that kind."""
        while (left := end - time.monotonic()) > 0:
            message = channel.get_message(timeout=min(left, 3600))
            if message and message["type"] == kind:
                return

    def release(self, ask):
        value = self.values.pop(self.slot(ask), "")
        return "ok" if self.redis.eval(self.FREE, 1, ask["lock"], value) else "not_held"
