import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * Spring Integration's lock registries: RedisLockRegistry, or on a database JdbcLockRegistry. The option `pub_sub`
 * takes RedisLockType.PUB_SUB_LOCK, `renewal` sets a scheduler that renews.
 */
public class Lock extends HoldfastAdapter {
  private final boolean renewal;
  private final RenewableLockRegistry<DistributedLock> registry;

  Lock(JsonObject hello) {
    JsonObject server = server(hello);
    Duration lease = Duration.ofMillis(number(hello, "lease_ms", 60_000));
    renewal = option(hello, "renewal");
    registry = text(server, "kind").equals("redis")
        ? Registries.inRedis(hello, server, lease)
        : Registries.onTable(server, lease);
    DistributedLock first = registry.obtain("warm_up_" + text(hello, "owner"));
    try { // a JVM's first lock can take longer than a lease
      if (first.tryLock()) first.unlock();
    } catch (RuntimeException away) { // the server, when we start
    }
  }

  @Override
  List<String> can() {
    return renewal
        ? List.of("background", "block", "cancel", "reenter", "threads", "wait")
        : List.of("block", "cancel", "reenter", "renew", "threads", "wait");
  }

  @Override
  JsonObject acquire(Ask ask) throws Exception {
    DistributedLock lock = registry.obtain(ask.lock());
    try {
      if (ask.waitMs() < 0) lock.lockInterruptibly();
      else if (!lock.tryLock(ask.waitMs(), TimeUnit.MILLISECONDS)) return is("busy");
    } catch (InterruptedException cancelled) { // before it sent anything
      return is("busy");
    } catch (RuntimeException failed) {
      if (failed.getCause() instanceof InterruptedException) return is("busy"); // between two attempts
      throw failed;
    }
    return is("ok");
  }

  @Override
  JsonObject renew(Ask ask) {
    registry.renewLock(ask.lock());
    return is("ok");
  }

  @Override
  JsonObject release(Ask ask) {
    registry.obtain(ask.lock()).unlock();
    return is("ok");
  }

  @Override
  boolean notHeld(Exception error) {
    return error instanceof ConcurrentModificationException || error instanceof IllegalMonitorStateException
        || error instanceof IllegalStateException;
  }

  public static void main(String[] arguments) throws Exception {
    serve(Lock::new, RenewableLockRegistry.class);
  }
}
