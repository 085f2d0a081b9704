package sample;

import static holdfast.Answer.BUSY;
import static holdfast.Answer.NOT_HELD;
import static holdfast.Answer.OK;

import holdfast.Answer;
import holdfast.Ask;
import holdfast.Grade;
import holdfast.Hello;
import holdfast.Holdfast;
import holdfast.LockAdapter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.params.SetParams;

/**
 * Two locks on Redis, tried by holdfast: one is sound, and one releases a lock that it lost.
 *
 * <pre>
 * (cd ../../java &amp;&amp; mvn install) &amp;&amp; mvn test
 * </pre>
 */
class LocksTest {
  static class TokenLock implements LockAdapter {
    static final String DELETE_OWN =
        "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";

    // This client repeats no request. If yours does, switch that off: after a lost reply, a repeated release would find
    // nothing and answer "not held".
    final RedisClient redis;
    final String owner;
    final Map<String, String> tokens = new ConcurrentHashMap<>();

    TokenLock(Hello hello) {
      redis = RedisClient.create(hello.host(), hello.port());
      owner = hello.owner();
    }

    @Override
    public Answer acquire(Ask ask) {
      String token = owner + ":" + ask.n();
      if (redis.set(ask.lock(), token, new SetParams().nx().px(ask.leaseMs())) == null) return BUSY;
      tokens.put(ask.key(), token);
      return OK;
    }

    @Override
    public Answer release(Ask ask) {
      Object deleted = redis.eval(DELETE_OWN, List.of(ask.lock()), List.of(tokens.get(ask.key())));
      return deleted.equals(1L) ? OK : NOT_HELD;
    }
  }

  static class GetThenDelLock extends TokenLock {
    GetThenDelLock(Hello hello) {
      super(hello);
    }

    /** Between GET and DEL, the key may expire, and then be another client's. */
    @Override
    public Answer release(Ask ask) {
      if (!tokens.get(ask.key()).equals(redis.get(ask.lock()))) return NOT_HELD;
      redis.del(ask.lock());
      return OK;
    }
  }

  @TestFactory
  Stream<DynamicNode> tokenLock() {
    return Holdfast.tryLock(TokenLock.class, "redis").expect(Grade.AS_SAFE_AS_A_LEASE);
  }

  /** Fails: holdfast shows the order of requests that frees another client's lock. */
  @Test
  void getThenDelLock() {
    Holdfast.tryLock(GetThenDelLock.class, "redis").check(Grade.AS_SAFE_AS_A_LEASE);
  }
}
