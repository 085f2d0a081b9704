import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.state.SessionConnectionStateErrorPolicy;

/**
 * Curator's LeaderLatch: a campaign starts a latch and waits for it, to resign is to close it. A latch that says
 * notLeader stays in the race, as its documentation means it: the next campaign waits for the same one.
 */
class Latch extends HoldfastAdapter {
  private static final long LOOK_MS = 100; // between two looks at who leads

  private final Map<String, LeaderLatch> latches = new ConcurrentHashMap<>();
  private final Map<String, Long> leading = new ConcurrentHashMap<>(); // since when, by System.nanoTime()
  private final Map<String, String> seen = new ConcurrentHashMap<>();
  private final CuratorFramework client;
  private final String owner;

  Latch(JsonObject hello) {
    owner = text(hello, "owner");
    CuratorFrameworkFactory.Builder builder = Connection.to(hello);
    if (option(hello, "session")) builder.connectionStateErrorPolicy(new SessionConnectionStateErrorPolicy());
    client = builder.build();
    client.start();
    ScheduledExecutorService observer = Executors.newSingleThreadScheduledExecutor();
    hello.getAsJsonArray("locks").forEach(key -> {
      LeaderLatch eye = new LeaderLatch(client, "/latches/" + key.getAsString(), owner); // never a candidate
      observer.scheduleWithFixedDelay(() -> look(key.getAsString(), eye), 0, LOOK_MS, TimeUnit.MILLISECONDS);
    });
  }

  private void look(String key, LeaderLatch eye) {
    try {
      String leader = eye.getLeader().getId();
      if (leader.equals(seen.put(key, leader))) return;
      JsonObject said = is("leader");
      said.addProperty("lock", key);
      said.addProperty("holder", leader);
      say(said);
    } catch (Exception unknown) { // the server is away, or its path not there yet
    }
  }

  @Override
  List<String> can() {
    return List.of("background", "cancel", "leader", "lost", "owned", "wait");
  }

  private LeaderLatch started(String key) throws Exception {
    LeaderLatch latch = new LeaderLatch(client, "/latches/" + key, owner);
    latch.addListener(new LeaderLatchListener() {
      @Override
      public void isLeader() {} // await() tells

      @Override
      public void notLeader() {
        Long sinceNs = leading.remove(key);
        if (sinceNs == null) return;
        Connection.settle(sinceNs);
        JsonObject said = is("lost", "notLeader");
        said.addProperty("lock", key);
        say(said);
      }
    });
    latch.start();
    return latch;
  }

  @Override
  JsonObject acquire(Ask ask) throws Exception {
    if (!latches.containsKey(ask.lock())) latches.put(ask.lock(), started(ask.lock()));
    LeaderLatch latch = latches.get(ask.lock());
    try {
      if (!elected(latch, ask.waitMs())) return gone(ask, "busy");
    } catch (InterruptedException cancelled) {
      return gone(ask, "busy");
    }
    leading.put(ask.lock(), System.nanoTime());
    if (latch.hasLeadership()) return is("ok");
    leading.remove(ask.lock()); // it came and went
    return gone(ask, "busy");
  }

  private boolean elected(LeaderLatch latch, long waitMs) throws Exception {
    if (waitMs > 0) return latch.await(waitMs, TimeUnit.MILLISECONDS);
    while (!latch.await(LOOK_MS, TimeUnit.MILLISECONDS)) { // start() only begins to ask
      if (waitMs == 0 && latch.getOurPath() != null && !latch.getLeader().getId().equals(owner)) return false;
    }
    return true;
  }

  private JsonObject gone(Ask ask, String outcome) throws IOException {
    latches.remove(ask.lock()).close();
    return is(outcome);
  }

  @Override
  JsonObject release(Ask ask) throws Exception {
    if (!latches.containsKey(ask.lock())) return is("not_held");
    if (leading.remove(ask.lock()) == null) return gone(ask, "not_held");
    long session = session();
    gone(ask, "ok");
    client.checkExists().forPath("/latches/" + ask.lock()); // close() does not wait for its node to go; this does
    return session() == session ? is("ok") : is("info", "its session had ended");
  }

  private long session() throws Exception {
    return client.getZookeeperClient().getZooKeeper().getSessionId();
  }

  @Override
  JsonObject owned(Ask ask) {
    return is(latches.containsKey(ask.lock()) && latches.get(ask.lock()).hasLeadership() ? "yes" : "no");
  }
}
