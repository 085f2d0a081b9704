import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessLock;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreMutex;
import org.apache.curator.framework.state.ConnectionState;

/**
 * Curator's mutexes. A holder stops when its session is lost or, with the option `careful`, once its connection is
 * suspended. The option `semaphore` takes the mutex that is not reentrant, `latch` and `latch_session` an election.
 */
public class Lock extends HoldfastAdapter {
  record Grant(String lock, long thread, long session, long sinceNs) {}

  private final Map<String, InterProcessLock> locks = new ConcurrentHashMap<>(); // one a key, to be used again
  private final Map<String, Grant> grants = new ConcurrentHashMap<>();
  private final Map<String, Grant> lapsed = new ConcurrentHashMap<>(); // told to be lost: released before the next
  private final CuratorFramework client;
  private final boolean semaphore;
  private final boolean careful;

  Lock(JsonObject hello) {
    semaphore = option(hello, "semaphore");
    careful = option(hello, "careful");
    client = Connection.to(hello).build();
    client.getConnectionStateListenable().addListener((from, state) -> told(state));
    client.start();
  }

  private void told(ConnectionState state) {
    if (state != ConnectionState.LOST && !(careful && state == ConnectionState.SUSPENDED)) return;
    grants.forEach((key, grant) -> {
      lapsed.put(key, grant);
      grants.remove(key, grant);
      Connection.settle(grant.sinceNs());
      lost(grant.lock(), grant.thread(), state.toString());
    });
  }

  @Override
  List<String> can() {
    return semaphore
        ? List.of("background", "block", "cancel", "lost", "threads", "wait")
        : List.of("background", "block", "cancel", "lost", "owned", "reenter", "threads", "wait");
  }

  private InterProcessLock lock(Ask ask) {
    String path = "/locks/" + ask.lock();
    if (!semaphore) return locks.computeIfAbsent(ask.lock(), key -> new InterProcessMutex(client, path));
    return locks.computeIfAbsent(ask.key(), key -> new InterProcessSemaphoreMutex(client, path)); // knows no threads
  }

  private long session() throws Exception {
    return client.getZookeeperClient().getZooKeeper().getSessionId();
  }

  @Override
  JsonObject acquire(Ask ask) throws Exception {
    if (lapsed.remove(ask.key()) != null) { // as the `finally` of an application does
      do lock(ask).release(); while (owned(ask).equals(is("yes")));
    }
    if (ask.waitMs() < 0) lock(ask).acquire();
    else if (!lock(ask).acquire(ask.waitMs(), TimeUnit.MILLISECONDS)) return is("busy");
    grants.putIfAbsent(ask.key(), new Grant(ask.lock(), ask.thread(), session(), System.nanoTime()));
    return is("ok");
  }

  @Override
  JsonObject release(Ask ask) throws Exception {
    Grant grant = grants.remove(ask.key());
    lapsed.remove(ask.key());
    lock(ask).release();
    if (owned(ask).equals(is("yes"))) grants.put(ask.key(), grant); // entered more than once
    // It returns in silence, too, where its node had gone with its session: then nobody knows whose the lock is.
    return grant == null || grant.session() == session() ? is("ok") : is("info", "its session had ended");
  }

  @Override
  JsonObject owned(Ask ask) {
    return is(lock(ask) instanceof InterProcessMutex mutex && mutex.isOwnedByCurrentThread() ? "yes" : "no");
  }

  @Override
  boolean notHeld(Exception error) {
    return error instanceof IllegalMonitorStateException || error.toString().endsWith(": Not acquired");
  }

  public static void main(String[] arguments) throws Exception {
    serve(hello -> option(hello, "latch") ? new Latch(hello) : new Lock(hello), InterProcessMutex.class);
  }
}
