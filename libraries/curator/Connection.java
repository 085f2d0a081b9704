import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;

/** The client of its documentation's first steps, with a session that is as long as the lease. */
class Connection {
  private static final long SETTLE_MS = 50; // by then an `ok` is written, so that no loss is told before its grant

  static CuratorFrameworkFactory.Builder to(JsonObject hello) {
    StringBuilder servers = new StringBuilder();
    for (JsonElement one : hello.getAsJsonArray("servers")) {
      JsonObject at = one.getAsJsonObject();
      servers.append(servers.isEmpty() ? "" : ",").append(at.get("host").getAsString());
      servers.append(':').append(at.get("port").getAsInt());
    }
    return CuratorFrameworkFactory.builder()
        .connectString(servers.toString())
        .sessionTimeoutMs(hello.get("lease_ms").getAsInt())
        .retryPolicy(new ExponentialBackoffRetry(1000, 3));
  }

  static void settle(long sinceNs) {
    try {
      Thread.sleep(Math.max(0, SETTLE_MS - (System.nanoTime() - sinceNs) / 1_000_000));
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }
}
