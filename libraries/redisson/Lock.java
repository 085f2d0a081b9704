import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's locks on one server, with a client of default settings. The option `watchdog` acquires without a lease, so
 * that the library prolongs it; `fair` and `fenced` take another class of lock. Of the fenced one, `get_token` asks for
 * the token after the lock, and `untimed` takes the call that waits without an end (whoever finds it taken goes away).
 * A fair lock is cancelled only with the option `cancel`, since an interrupted wait leaves its place in the queue.
 */
public class Lock extends HoldfastAdapter {
  private final RedissonClient redisson;
  private final boolean cancel;
  private final boolean fair;
  private final boolean fenced;
  private final boolean getToken;
  private final boolean untimed;
  private final boolean watchdog;
  private final Map<String, RLock> locks = new ConcurrentHashMap<>();

  Lock(JsonObject hello) {
    cancel = option(hello, "cancel");
    fair = option(hello, "fair");
    fenced = option(hello, "fenced");
    getToken = option(hello, "get_token");
    untimed = option(hello, "untimed");
    watchdog = option(hello, "watchdog");
    Config config = new Config();
    config.setLazyInitialization(true); // the server may be away when we start
    if (watchdog) config.setLockWatchdogTimeout(number(hello, "lease_ms", 30000)); // else as the library has it
    JsonObject server = server(hello);
    config.useSingleServer().setAddress("redis://" + text(server, "host") + ":" + text(server, "port"));
    redisson = Redisson.create(config);
    warmUp();
  }

  @Override
  List<String> can() {
    if (watchdog) return List.of("background", "block", "cancel", "owned", "reenter", "threads", "wait");
    if (untimed) return List.of("block", "owned", "reenter", "threads");
    if (fair && !cancel) return List.of("block", "owned", "reenter", "threads", "wait");
    return List.of("block", "cancel", "owned", "reenter", "threads", "wait");
  }

  private RLock lock(Ask ask) {
    return locks.computeIfAbsent(ask.key(), key -> {
      if (fair) return redisson.getFairLock(ask.lock());
      return fenced ? redisson.getFencedLock(ask.lock()) : redisson.getLock(ask.lock());
    });
  }

  @Override
  JsonObject acquire(Ask ask) throws InterruptedException {
    RLock lock = lock(ask);
    long leaseMs = watchdog ? -1 : ask.leaseMs();
    if (fenced && !getToken) return acquireFenced((RFencedLock) lock, ask);
    if (ask.waitMs() < 0) lock.lockInterruptibly(leaseMs, TimeUnit.MILLISECONDS);
    else if (!lock.tryLock(ask.waitMs(), leaseMs, TimeUnit.MILLISECONDS)) return is("busy");
    return fenced ? granted(((RFencedLock) lock).getToken()) : is("ok");
  }

  private JsonObject acquireFenced(RFencedLock lock, Ask ask) {
    if (untimed && lock.isLocked() && !lock.isHeldByCurrentThread()) return is("busy");
    Long token = untimed || ask.waitMs() < 0
        ? lock.lockAndGetToken(ask.leaseMs(), TimeUnit.MILLISECONDS)
        : lock.tryLockAndGetToken(ask.waitMs(), ask.leaseMs(), TimeUnit.MILLISECONDS);
    return token == null ? is("busy") : granted(token);
  }

  private static JsonObject granted(long token) {
    JsonObject said = is("ok");
    said.addProperty("token", token);
    return said;
  }

  @Override
  JsonObject release(Ask ask) {
    lock(ask).unlock();
    return is("ok");
  }

  @Override
  JsonObject owned(Ask ask) {
    return is(lock(ask).isHeldByCurrentThread() ? "yes" : "no");
  }

  @Override
  boolean notHeld(Exception error) {
    return error instanceof IllegalMonitorStateException; // what unlock() is documented to throw
  }

  public static void main(String[] arguments) throws Exception {
    serve(Lock::new, Redisson.class);
  }
}
