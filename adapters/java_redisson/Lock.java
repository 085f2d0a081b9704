import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's RLock, in one of two ways. With a lease of the caller's: it ends by itself, and nothing prolongs it. With
 * the option `watchdog`, as in ../java_redisson_watchdog/lock.json, without one: the library's watchdog prolongs it.
 *
 * <p>Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a
 * line.
 */
public class Lock {
  static final int TIMEOUT_MS = 2000; // a server that is silent for longer leaves the outcome unknown
  static final ObjectMapper JSON = new ObjectMapper();
  static RedissonClient redisson;
  static boolean watchdog;

  static RedissonClient connected(JsonNode server, long leaseMs) {
    Config config = new Config();
    config.setLockWatchdogTimeout(leaseMs); // the lease of a lock that is taken without one
    config.setLazyInitialization(true); // the server may be away when we start
    config.useSingleServer()
        .setAddress("redis://" + server.get("host").asText() + ":" + server.get("port").asInt())
        .setConnectionMinimumIdleSize(1)
        .setSubscriptionConnectionMinimumIdleSize(1)
        .setConnectTimeout(TIMEOUT_MS)
        .setTimeout(TIMEOUT_MS)
        .setRetryAttempts(0);
    return Redisson.create(config);
  }

  static String outcome(JsonNode ask) throws InterruptedException {
    if (ask.get("do").asText().equals("block")) {
      Thread.sleep(ask.get("ms").asLong()); // the thread that holds; the library's watchdog has its own
      return "ok";
    }
    RLock lock = redisson.getLock(ask.get("lock").asText());
    switch (ask.get("do").asText()) {
      case "acquire":
        long leaseMs = ask.get("lease_ms").asLong();
        return (watchdog ? lock.tryLock() : lock.tryLock(0, leaseMs, TimeUnit.MILLISECONDS)) ? "ok" : "busy";
      case "owned":
        return lock.isHeldByCurrentThread() ? "yes" : "no";
      default: // release
        lock.unlock();
        return "ok";
    }
  }

  static ObjectNode answer(JsonNode ask) {
    ObjectNode said = JSON.createObjectNode().put("n", ask.get("n").asLong());
    switch (ask.get("do").asText()) {
      case "hello":
        watchdog = ask.at("/options/watchdog").asBoolean();
        redisson = connected(ask.get("servers").get(0), ask.get("lease_ms").asLong());
        said.put("is", "ready").put("v", 1).put("version", "3.52.0");
        said.put("name", watchdog ? "java_redisson_watchdog" : "java_redisson");
        ArrayNode can = said.putArray("can").add("owned").add("reenter");
        if (watchdog) can.add("background").add("block");
        return said;
      case "pulse":
        return said.put("is", "ok").put("wall_ms", System.currentTimeMillis());
      case "acquire", "release", "owned", "block":
        try {
          return said.put("is", outcome(ask));
        } catch (IllegalMonitorStateException notOurs) { // what unlock() is documented to say
          return said.put("is", "not_held");
        } catch (Exception error) { // sent or not, done or not: unknown
          return said.put("is", "info").put("why", error.toString());
        }
      default:
        return said.put("is", "fail").put("why", "cannot " + ask.get("do").asText());
    }
  }

  static synchronized void say(PrintStream answers, ObjectNode said) {
    answers.println(said.toString());
    answers.flush();
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err); // a library's output is not an answer
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    ExecutorService holder = Executors.newSingleThreadExecutor(); // an RLock belongs to the thread that took it
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      JsonNode ask = JSON.readTree(line);
      if (ask.get("do").asText().equals("bye")) break;
      Runnable task = () -> say(answers, answer(ask));
      if (ask.get("do").asText().equals("pulse")) task.run();
      else holder.execute(task);
    }
    System.exit(0); // the library's threads would go on
  }
}
