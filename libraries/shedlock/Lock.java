import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * ShedLock without a framework, on a table or in Redis. Each client is named as a host of its own; with the option
 * `one_host` as the library does it by itself, by the machine. `db_time` is usingDbTime(), `safe_update` that of Redis.
 */
public class Lock extends HoldfastAdapter {
  record Grant(SimpleLock lock, long untilNs) {}

  private final Map<String, Grant> grants = new ConcurrentHashMap<>();
  private final boolean inRedis;
  private final long leaseMs;
  private final boolean safe;
  private final LockProvider provider;

  Lock(JsonObject hello) {
    safe = option(hello, "safe_update");
    leaseMs = number(hello, "lease_ms", -1);
    inRedis = text(server(hello), "kind").equals("redis");
    provider = inRedis ? inRedis(server(hello)) : Table.provider(hello, server(hello));
    try { // a JVM's first lock can take longer than a lease
      lock("warm_up_" + text(hello, "owner"), 10_000).ifPresent(SimpleLock::unlock);
    } catch (RuntimeException away) { // the server, when we start
    }
  }

  private LockProvider inRedis(JsonObject server) {
    var connections = new LettuceConnectionFactory(text(server, "host"), (int) number(server, "port", 0));
    connections.afterPropertiesSet();
    connections.start();
    return new RedisLockProvider.Builder(connections).safeUpdate(safe).build();
  }

  private Optional<SimpleLock> lock(String name, long leaseMs) {
    return provider.lock(
        new LockConfiguration(ClockProvider.now(), name, Duration.ofMillis(leaseMs), Duration.ZERO));
  }

  @Override
  List<String> can() {
    return List.of("block", "renew", "threads");
  }

  private void note(Ask ask, SimpleLock lock, long askedNs, long leaseMs) {
    grants.put(ask.key(), new Grant(lock, askedNs + leaseMs * 1_000_000));
  }

  @Override
  JsonObject acquire(Ask ask) {
    long askedNs = System.nanoTime();
    Optional<SimpleLock> lock = lock(ask.lock(), ask.leaseMs());
    lock.ifPresent(grant -> note(ask, grant, askedNs, ask.leaseMs()));
    return is(lock.isPresent() ? "ok" : "busy");
  }

  @Override
  JsonObject renew(Ask ask) {
    long askedNs = System.nanoTime();
    Optional<SimpleLock> lock = grants.get(ask.key()).lock().extend(Duration.ofMillis(leaseMs), Duration.ZERO);
    lock.ifPresent(grant -> note(ask, grant, askedNs, leaseMs));
    return is(lock.isPresent() ? "ok" : "not_held");
  }

  @Override
  JsonObject release(Ask ask) {
    Grant grant = grants.remove(ask.key());
    if (grant == null) return is("not_held");
    grant.lock().unlock();
    boolean deletes = inRedis && !safe; // whatever is there
    boolean sure = deletes || System.nanoTime() < grant.untilNs();
    return sure ? is("ok") : is("info", "unlock() does not tell whether another has it by now");
  }

  public static void main(String[] arguments) throws Exception {
    serve(Lock::new, LockProvider.class);
  }
}
