import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's RLock with a lease of the caller's: it ends by itself, and nothing prolongs it.
 *
 * <p>Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a
 * line.
 */
public class Lock {
  static final int TIMEOUT_MS = 2000; // a server that is silent for longer leaves the outcome unknown
  static final ObjectMapper JSON = new ObjectMapper();
  static RedissonClient redisson;

  static RedissonClient connected(JsonNode server) {
    Config config = new Config();
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
    RLock lock = redisson.getLock(ask.get("lock").asText());
    switch (ask.get("do").asText()) {
      case "acquire":
        return lock.tryLock(0, ask.get("lease_ms").asLong(), TimeUnit.MILLISECONDS) ? "ok" : "busy";
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
        redisson = connected(ask.get("servers").get(0));
        said.put("is", "ready").put("v", 1).put("name", "java_redisson").put("version", "3.52.0");
        said.putArray("can").add("owned").add("reenter");
        return said;
      case "pulse":
        return said.put("is", "ok").put("wall_ms", System.currentTimeMillis());
      case "acquire", "release", "owned":
        try {
          return said.put("is", outcome(ask));
        } catch (IllegalMonitorStateException notOurs) { // what unlock() is documented to say
          return said.put("is", "not_held");
        } catch (Exception error) { // sent or not, done or not: nobody knows
          return said.put("is", "info").put("why", error.toString());
        }
      default:
        return said.put("is", "fail").put("why", "cannot " + ask.get("do").asText());
    }
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err); // what a library prints is no answer
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      JsonNode ask = JSON.readTree(line);
      if (ask.get("do").asText().equals("bye")) break;
      answers.println(JSON.writeValueAsString(answer(ask)));
      answers.flush();
    }
    System.exit(0); // the library's threads would go on
  }
}
