import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What all adapters in Java have in common: holdfast's adapter protocol (docs/adapters.md).
 *
 * <pre>
 * public class Lock extends HoldfastAdapter {
 *   Lock(JsonObject hello) { ... }                       // connects, to hello's servers: see server(hello)
 *   List&lt;String&gt; can() { return List.of("block"); }      // as in lock.json
 *   JsonObject acquire(Ask ask) { return is("ok"); }     // or is("busy")
 *   JsonObject release(Ask ask) { return is("ok"); }     // or is("not_held")
 *   public static void main(String[] arguments) throws Exception { serve(Lock::new, TheLibrary.class); }
 * }
 * </pre>
 *
 * <p>What else the lock can is a method more (renew, owned) and its word in can(). A key that is not held here is
 * answered here; exceptions that notHeld() knows are `not_held`, all others `info`: perhaps it was done. Each thread of
 * the load has a thread of its own here, so that what a library keeps by thread stays with it. A cancel interrupts the
 * thread that acquires.
 *
 * <p>Assertions may be made anywhere and at any time: {@link #always}, {@link #sometimes}, {@link #reached}.
 */
abstract class HoldfastAdapter {
  /** A request. What is absent in it is -1 or empty. */
  record Ask(String what, long n, String lock, long thread, long waitMs, long leaseMs, long ms, long of, String mode) {
    static Ask of(JsonObject json) {
      return new Ask(text(json, "do"), number(json, "n", -1), text(json, "lock"), number(json, "thread", 0),
          number(json, "wait_ms", -1), number(json, "lease_ms", -1), number(json, "ms", -1), number(json, "of", -1),
          text(json, "mode"));
    }

    /** Whose grant is meant: what an adapter notes of one belongs to its lock and its thread. */
    String key() {
      return thread + "/" + lock;
    }
  }

  interface Maker {
    HoldfastAdapter make(JsonObject hello) throws Exception;
  }

  private static PrintStream answers;

  private final Map<String, Integer> held = new ConcurrentHashMap<>(); // by Ask.key(): how often

  abstract List<String> can();

  abstract JsonObject acquire(Ask ask) throws Exception;

  abstract JsonObject release(Ask ask) throws Exception;

  JsonObject renew(Ask ask) throws Exception {
    return is("fail");
  }

  JsonObject owned(Ask ask) throws Exception {
    return is("info");
  }

  /**
   * Takes and frees a lock that nobody else asks for. For the end of a constructor, of a library that connects and
   * loads most of its classes at its first use: on a busy machine that is seconds, which a trial would lack.
   */
  void warmUp() {
    String own = "warm-up-" + UUID.randomUUID();
    if (text(asked(warmUp("acquire", own)), "is").equals("ok")) asked(warmUp("release", own));
  }

  private static Ask warmUp(String what, String lock) {
    return new Ask(what, 0, lock, 0, 0, 2000, -1, -1, "");
  }

  /** Called once `ready` is said: from here on a scheduler may begin jobs. */
  void begun() throws Exception {}

  /** Whether the library documents this exception of release, renew or owned as "it is not yours (any more)". */
  boolean notHeld(Exception error) {
    return false;
  }

  static JsonObject is(String outcome) {
    JsonObject said = new JsonObject();
    said.addProperty("is", outcome);
    return said;
  }

  static JsonObject is(String outcome, String why) {
    JsonObject said = is(outcome);
    said.addProperty("why", why.length() > 500 ? why.substring(0, 500) : why);
    return said;
  }

  /** To be said unasked, of a grant that the library told to be lost. */
  static void lost(String lock, long thread, String why) {
    JsonObject said = is("lost", why);
    said.addProperty("lock", lock);
    said.addProperty("thread", thread);
    say(said);
  }

  /** To be said unasked by a scheduler, of a job whose body begins: a release with this thread ends it. */
  void granted(String lock, long thread) {
    held.put(thread + "/" + lock, 1);
    JsonObject said = is("granted");
    said.addProperty("lock", lock);
    said.addProperty("thread", thread);
    say(said);
  }

  private record Assertion(String kind, String name, boolean holds) {}

  /** Evaluations. A line tells the first one of each result, and then each time that they have doubled. */
  private static final Map<Assertion, long[]> EVALUATIONS = new LinkedHashMap<>(); // all, told

  /** Must be true whenever it is evaluated: a false one breaks the lock. {@code why} tells more; may be empty. */
  static void always(boolean holds, String name, String why) {
    evaluated("always", holds, name, why);
  }

  /** Must be true at least once in a run. */
  static void sometimes(boolean holds, String name, String why) {
    evaluated("sometimes", holds, name, why);
  }

  /** A place that a run must reach at least once. */
  static void reached(String name, String why) {
    evaluated("reached", true, name, why);
  }

  static void evaluated(String kind, boolean holds, String name, String why) {
    Assertion one = new Assertion(kind, name, holds);
    synchronized (EVALUATIONS) {
      long[] count = EVALUATIONS.computeIfAbsent(one, key -> new long[2]);
      count[0]++;
      if (answers != null && count[0] >= 2 * count[1]) tell(one, why, count);
    }
  }

  private static void tell(Assertion one, String why, long[] count) {
    JsonObject said = why.isEmpty() ? is(one.kind()) : is(one.kind(), why);
    said.addProperty("name", one.name());
    if (!one.kind().equals("reached")) said.addProperty("holds", one.holds());
    said.addProperty("count", count[0] - count[1]);
    count[1] = count[0];
    say(said);
  }

  private static void tellAll() {
    synchronized (EVALUATIONS) {
      EVALUATIONS.forEach((one, count) -> {
        if (count[0] > count[1]) tell(one, "", count);
      });
    }
  }

  /** A line is written as a whole. Also for what else is said unasked: granted, leader. */
  static void say(JsonObject said) {
    synchronized (answers) {
      answers.println(said);
      answers.flush();
    }
  }

  static JsonObject server(JsonObject hello) {
    return hello.getAsJsonArray("servers").get(0).getAsJsonObject();
  }

  static boolean option(JsonObject hello, String name) {
    JsonObject options = hello.getAsJsonObject("options");
    return options != null && options.has(name) && options.get(name).getAsBoolean();
  }

  static String text(JsonObject json, String name) {
    JsonElement value = json.get(name);
    return value == null ? "" : value.getAsString();
  }

  static long number(JsonObject json, String name, long otherwise) {
    JsonElement value = json.get(name);
    return value == null ? otherwise : value.getAsLong();
  }

  /** The version of the library that this class is from, as its jar's name has it. */
  static String version(Class<?> ofLibrary) {
    String place = ofLibrary.getProtectionDomain().getCodeSource().getLocation().getPath();
    String jar = Path.of(place).getFileName().toString();
    Matcher found = Pattern.compile("-(\\d.*)\\.jar$").matcher(jar);
    return found.find() ? found.group(1) : jar;
  }

  private JsonObject answer(Ask ask) {
    boolean ofGrant = List.of("release", "renew", "owned").contains(ask.what());
    if (ofGrant && held.getOrDefault(ask.key(), 0) == 0) return is(ask.what().equals("owned") ? "no" : "not_held");
    JsonObject said = asked(ask);
    String outcome = text(said, "is");
    if (outcome.equals("not_held") || outcome.equals("no")) held.remove(ask.key());
    else if (outcome.equals("ok") && ask.what().equals("acquire")) held.merge(ask.key(), 1, Integer::sum);
    else if (outcome.equals("ok") && ask.what().equals("release")) held.merge(ask.key(), -1, Integer::sum);
    return said;
  }

  private JsonObject asked(Ask ask) {
    try {
      return switch (ask.what()) {
        case "acquire" -> acquire(ask);
        case "release" -> release(ask);
        case "renew" -> renew(ask);
        case "owned" -> owned(ask);
        default -> {
          Thread.sleep(ask.ms()); // block: the thread that holds; a library's watchdog has its own
          yield is("ok");
        }
      };
    } catch (Exception error) { // sent or not, done or not: nobody knows
      if (!ask.what().equals("acquire") && notHeld(error)) return is(ask.what().equals("owned") ? "no" : "not_held");
      return is("info", error.toString());
    }
  }

  /** One thread of the load: does one request after another, and can be interrupted while it acquires. */
  private static class Worker {
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private Thread acquiring;
    private long cancelled = -1;

    synchronized void cancel(long n) {
      cancelled = n; // also if it has not begun
      if (acquiring != null) acquiring.interrupt();
    }

    private synchronized void begins(Ask ask) {
      if (!ask.what().equals("acquire")) return;
      acquiring = Thread.currentThread();
      if (cancelled == ask.n()) acquiring.interrupt();
    }

    private synchronized void ended() {
      acquiring = null;
      Thread.interrupted(); // a cancel that came too late concerns no other request
    }

    void submit(HoldfastAdapter adapter, Ask ask) {
      executor.execute(() -> {
        begins(ask);
        JsonObject said = adapter.answer(ask);
        ended();
        said.addProperty("n", ask.n());
        say(said);
      });
    }
  }

  private static JsonObject ready(JsonObject hello, HoldfastAdapter adapter, String version) {
    JsonObject said = is("ready");
    said.addProperty("v", 1);
    said.addProperty("name", text(hello, "name"));
    said.addProperty("version", version);
    said.add("can", new com.google.gson.Gson().toJsonTree(adapter.can()));
    return said;
  }

  private static JsonObject atOnce(HoldfastAdapter adapter, Ask ask, Map<Long, Worker> byRequest) {
    if (ask.what().equals("pulse")) {
      JsonObject said = is("ok");
      said.addProperty("wall_ms", System.currentTimeMillis());
      return said;
    }
    if (!ask.what().equals("cancel") || !adapter.can().contains("cancel")) return is("fail", "cannot " + ask.what());
    Worker worker = byRequest.get(ask.of());
    if (worker != null) worker.cancel(ask.of());
    return is("ok");
  }

  static void serve(Maker maker, Class<?> ofLibrary) throws Exception {
    answers = System.out;
    System.setOut(System.err); // what a library prints is no answer
    try {
      converse(maker, version(ofLibrary));
    } catch (Exception error) {
      error.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
    tellAll();
    Runtime.getRuntime().halt(0); // who still waits is not waited for
  }

  private static void converse(Maker maker, String version) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Map<Long, Worker> workers = new ConcurrentHashMap<>(); // by the thread that asks
    Map<Long, Worker> acquiring = new ConcurrentHashMap<>(); // by the number of its last acquire
    HoldfastAdapter adapter = null;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      JsonObject json = JsonParser.parseString(line).getAsJsonObject();
      Ask ask = Ask.of(json);
      JsonObject said = null;
      switch (ask.what()) {
        case "bye" -> {
          return;
        }
        case "hello" -> {
          adapter = maker.make(json);
          said = ready(json, adapter, version);
        }
        case "acquire", "release", "renew", "owned", "block" -> {
          Worker worker = workers.computeIfAbsent(ask.thread(), t -> new Worker());
          if (ask.what().equals("acquire")) {
            acquiring.values().remove(worker);
            acquiring.put(ask.n(), worker);
          }
          worker.submit(adapter, ask);
        }
        default -> said = atOnce(adapter, ask, acquiring);
      }
      if (said == null) continue;
      said.addProperty("n", ask.n());
      say(said);
      if (ask.what().equals("hello")) adapter.begun();
    }
  }
}
