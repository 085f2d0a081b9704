import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.support.CloseableClient;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * jetcd's Lock or, with the option `election`, its Election. Each acquire takes a lease, keeps it alive, and asks with
 * it; whoever goes away with nothing revokes it. What keepAlive() tells its observer of a lease that ended is heeded.
 */
public class Lock extends HoldfastAdapter {
  private static final long ONCE_MS = 300; // neither knows an attempt that does not wait
  private static final long ANSWER_MS = 10_000; // by then a request is answered, or nobody knows

  /** What frees a grant. */
  interface Free extends Supplier<CompletableFuture<?>> {}

  record Grant(Kept kept, CloseableClient keeping, Free free) {}

  private final Map<String, Grant> grants = new ConcurrentHashMap<>();
  private final Client client;
  private final boolean election;
  private final ByteSequence owner;

  Lock(JsonObject hello) {
    String[] endpoints = hello.getAsJsonArray("servers").asList().stream().map(JsonElement::getAsJsonObject)
        .map(at -> "http://" + text(at, "host") + ":" + text(at, "port")).toArray(String[]::new);
    client = Client.builder().endpoints(endpoints).build();
    election = option(hello, "election");
    owner = bytes(text(hello, "owner"));
    Ask first = new Ask("acquire", 0, "warm_up_" + owner, -1, ANSWER_MS, 10_000, -1, -1, "");
    try { // a JVM's first lock can take longer than a lease
      if (text(acquire(first), "is").equals("ok")) release(first);
    } catch (Exception away) { // the server, when we start
    }
    if (election) hello.getAsJsonArray("locks").forEach(key -> new Observer(client, key.getAsString()));
  }

  private static ByteSequence bytes(String text) {
    return ByteSequence.from(text, StandardCharsets.UTF_8);
  }

  @Override
  List<String> can() {
    return election
        ? List.of("background", "cancel", "leader", "lost", "wait")
        : List.of("background", "block", "cancel", "lost", "threads", "wait");
  }

  private CompletableFuture<Free> asked(ByteSequence name, long lease) {
    var locks = client.getLockClient();
    var elections = client.getElectionClient();
    return election
        ? elections.campaign(name, lease, owner).thenApply(got -> () -> elections.resign(got.getLeader()))
        : locks.lock(name, lease).thenApply(got -> () -> locks.unlock(got.getKey()));
  }

  private static <T> T answer(CompletableFuture<T> future) throws Exception {
    return future.get(ANSWER_MS, TimeUnit.MILLISECONDS);
  }

  @Override
  JsonObject acquire(Ask ask) throws Exception {
    long askedNs = System.nanoTime();
    long seconds = (ask.leaseMs() + 999) / 1000;
    long lease = answer(client.getLeaseClient().grant(seconds)).getID();
    Kept kept = new Kept(askedNs, seconds, (whose, why) -> {
      boolean gone = grants.values().removeIf(grant -> grant.kept() == whose);
      if (gone) lost(ask.lock(), ask.thread(), why);
    });
    CloseableClient keeping = client.getLeaseClient().keepAlive(lease, kept);
    Grant grant = null;
    try {
      long waitMs = ask.waitMs() == 0 ? ONCE_MS : ask.waitMs();
      CompletableFuture<Free> asked = asked(bytes(ask.lock()), lease);
      Free free = waitMs < 0 ? asked.get() : asked.get(waitMs, TimeUnit.MILLISECONDS);
      if (!kept.over()) grant = new Grant(kept, keeping, free);
    } catch (TimeoutException | InterruptedException over) { // then busy, once it is revoked
    } finally {
      if (grant == null) keeping.close();
    }
    if (grant != null) grants.put(ask.key(), grant);
    else answer(client.getLeaseClient().revoke(lease)); // and with it its place in the queue
    return is(grant == null ? "busy" : "ok");
  }

  @Override
  JsonObject release(Ask ask) throws Exception {
    Grant grant = grants.remove(ask.key());
    if (grant == null) return is("not_held");
    try {
      answer(grant.free().get());
    } finally {
      grant.keeping().close();
    }
    return grant.kept().lasts() ? is("ok") : is("info", "its lease may have ended, and nothing tells");
  }

  public static void main(String[] arguments) throws Exception {
    System.setProperty("java.io.tmpdir", System.getenv("TMPDIR")); // where Vert.x, beneath jetcd, makes a folder
    serve(Lock::new, Client.class);
  }
}
