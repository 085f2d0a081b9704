import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/**
 * @NAME@: a first adapter that works, a lock on Redis. Put your lock in the place of hello, acquire and release.
 *
 * <p>Speaks holdfast's adapter protocol: requests on standard input, answers on standard output, one JSON object a
 * line.
 * `@PROGRAM@ adapter check @NAME@` says whether it speaks properly.
 */
public class Lock {
  static final int CONNECT_MS = 2000;
  static final int NO_LIMIT = 0; // for a reply: a time-out would hide a grant that comes after its lease
  static final String DELETE =
      """
      if redis.call("get", KEYS[1]) == ARGV[1] then
        return redis.call("del", KEYS[1])
      else
        return 0
      end
      """;
  static String host, owner;
  static int port;
  static Map<String, String> values = new HashMap<>(); // of locks that may be held

  // Replace this part, up to `answer`. Each outcome is one word. An exception that is not documented as a refusal is
  // info: perhaps it was done. Each further feature (renew, owned) is one more case, and a word in `can` and in
  // lock.json.
  static void hello(JsonObject ask) { // also there: client, seed, lease_ms, locks, options (of lock.json)
    JsonObject server = ask.getAsJsonArray("servers").get(0).getAsJsonObject();
    host = server.get("host").getAsString();
    port = server.get("port").getAsInt();
    owner = ask.get("owner").getAsString();
  }

  static String acquire(JsonObject ask) { // ok; busy: another has it. wait_ms 0: try once
    String name = ask.get("lock").getAsString();
    values.put(name, owner + ":" + ask.get("n").getAsLong());
    SetParams how = SetParams.setParams().nx().px(ask.get("lease_ms").getAsLong());
    try (Jedis redis = new Jedis(host, port, CONNECT_MS, NO_LIMIT)) { // a connection a request: none grows old
      return redis.set(name, values.get(name), how) == null ? "busy" : "ok";
    }
  }

  static String release(JsonObject ask) { // ok; not_held: another has it, or it is free
    String name = ask.get("lock").getAsString();
    try (Jedis redis = new Jedis(host, port, CONNECT_MS, NO_LIMIT)) {
      Object deleted = redis.eval(DELETE, List.of(name), List.of(values.getOrDefault(name, "")));
      return deleted.equals(1L) ? "ok" : "not_held";
    }
  }

  static String version() { // of the library, as its jar says; what pom.xml names stands there alone
    Properties of = new Properties();
    try (InputStream in = Lock.class.getResourceAsStream("/META-INF/maven/redis.clients/jedis/pom.properties")) {
      if (in != null) of.load(in);
    } catch (IOException error) {
      throw new IllegalStateException(error);
    }
    return of.getProperty("version", "");
  }

  static JsonObject answer(JsonObject ask) {
    JsonObject said = new JsonObject();
    said.add("n", ask.get("n"));
    String todo = ask.get("do").getAsString();
    try {
      switch (todo) {
        case "hello":
          hello(ask);
          said.addProperty("is", "ready");
          said.addProperty("v", 1);
          said.addProperty("name", "@NAME@");
          said.addProperty("version", version());
          said.add("can", new JsonArray());
          break;
        case "pulse":
          said.addProperty("is", "ok");
          said.addProperty("wall_ms", System.currentTimeMillis());
          break;
        case "acquire", "release":
          said.addProperty("is", todo.equals("acquire") ? acquire(ask) : release(ask));
          break;
        default:
          said.addProperty("is", "fail");
          said.addProperty("why", "cannot " + todo);
      }
    } catch (RuntimeException error) { // sent or not, done or not: unknown
      said.addProperty("is", "info");
      said.addProperty("why", error.toString());
    }
    return said;
  }

  public static void main(String[] arguments) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err); // a library's output is not an answer
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      JsonObject ask = JsonParser.parseString(line).getAsJsonObject();
      if (ask.get("do").getAsString().equals("bye")) break;
      answers.println(answer(ask));
      answers.flush();
    }
    System.exit(0); // threads of a library would go on
  }
}
