package holdfast;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** A lock to try, and how. Nothing runs before {@code expect}, {@code check} or {@code verdict}. */
public final class Trial {
  private static final int UNAVAILABLE = 4; // exit code: this machine cannot run the lock

  private final AdapterFolder adapter; // null: the lock is not a class
  private final String lock;
  private final List<String> arguments = new ArrayList<>();

  Trial(AdapterFolder adapter) {
    this.adapter = adapter;
    lock = "";
  }

  Trial(String lock) {
    adapter = null;
    this.lock = lock;
  }

  /** Sets a key of lock.json, such as {@code key("fenced", true)}. For a lock as a class. */
  public Trial key(String name, Object value) {
    own().key(name, value);
    return this;
  }

  /** Declares abilities, such as {@code threads}, {@code wait} and {@code lost}. For a lock as a class. */
  public Trial can(String... abilities) {
    own().can(List.of(abilities));
    return this;
  }

  /** Adds arguments of {@code holdfast try}. */
  public Trial arguments(String... more) {
    Collections.addAll(arguments, more);
    return this;
  }

  /** Tries the lock: a dynamic test for each case, and one for the grade, the worst that passes. */
  public Stream<DynamicNode> expect(Grade grade) {
    try {
      return tests(verdict(), grade);
    } catch (TestAbortedException reason) { // reports omit an aborted factory, so one test of it is aborted instead
      return Stream.of(DynamicTest.dynamicTest("grade " + grade.word(), () -> {
        throw reason;
      }));
    }
  }

  /** Tries the lock. Throws an AssertionError with the story of each broken promise if the grade is worse. */
  public void check(Grade grade) {
    Verdict verdict = verdict();
    if (!verdict.meets(grade)) throw failure(verdict.text(grade));
  }

  /** Tries the lock. Aborts the test if this machine cannot run it. */
  public Verdict verdict() {
    try {
      return run();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("holdfast was interrupted", error);
    }
  }

  private AdapterFolder own() {
    if (adapter != null) return adapter;
    throw new IllegalStateException(lock + ": only a lock as a class has keys; remedy: write them into its lock.json");
  }

  private static Stream<DynamicNode> tests(Verdict verdict, Grade grade) {
    boolean met = verdict.meets(grade);
    List<DynamicNode> tests = new ArrayList<>();
    verdict.cases().forEach((name, story) -> tests.add(test(name, met || story.isEmpty() ? "" : name + ": " + story)));
    tests.add(test("grade " + grade.word(), met ? "" : verdict.text(grade)));
    return tests.stream();
  }

  private static DynamicNode test(String name, String story) {
    return DynamicTest.dynamicTest(name, () -> {
      if (!story.isEmpty()) throw failure(story);
    });
  }

  private static AssertionError failure(String story) {
    AssertionError failure = new AssertionFailedError(story);
    failure.setStackTrace(new StackTraceElement[0]); // the test's line explains nothing
    return failure;
  }

  // An option of the command line, -Dholdfast.for=120, or of the environment, HOLDFAST_FOR=120.
  private static String option(String name, String otherwise) {
    String property = System.getProperty("holdfast." + name);
    String variable = System.getenv("HOLDFAST_" + name.toUpperCase(Locale.ROOT));
    if (property != null && !property.isEmpty()) return property;
    return variable != null && !variable.isEmpty() ? variable : otherwise;
  }

  private List<String> command() throws IOException {
    String out = option("out", "runs");
    String tried = adapter != null ? adapter.write(Path.of(out, "adapters")).toString() : found();
    List<String> command = new ArrayList<>();
    Collections.addAll(command, option("program", "holdfast"), "try", tried, "--json", "--quiet");
    Collections.addAll(command, "--for", option("for", "90") + "s", "--out", out);
    String seed = option("seed", "");
    if (!seed.isEmpty()) Collections.addAll(command, "--seed", seed);
    command.addAll(arguments);
    return command;
  }

  private String found() {
    if (Files.exists(Path.of(lock))) return lock;
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    URL resource = loader == null ? null : loader.getResource(lock);
    if (resource == null || !resource.getProtocol().equals("file")) return lock;
    return Path.of(URI.create(resource.toString())).toString();
  }

  private Verdict run() throws IOException, InterruptedException {
    List<String> command = command();
    Path errors = Files.createTempFile("holdfast-", ".log");
    try {
      Process program = started(new ProcessBuilder(command).redirectError(errors.toFile()));
      try {
        program.getOutputStream().close();
        String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return judged(said, program.waitFor(), Files.readString(errors).strip());
      } finally {
        program.destroy();
      }
    } finally {
      Files.deleteIfExists(errors);
    }
  }

  private static Process started(ProcessBuilder builder) {
    try {
      return builder.start();
    } catch (IOException error) {
      throw new TestAbortedException("holdfast cannot be started; remedy: install it, or set HOLDFAST_PROGRAM to its"
          + " path: " + error.getMessage(), error);
    }
  }

  private static Verdict judged(String said, int exitCode, String errors) {
    JsonObject json = null;
    try {
      if (!said.isBlank()) json = JsonParser.parseString(said).getAsJsonObject();
    } catch (JsonParseException | IllegalStateException error) { // a message for people, which `errors` explains
    }
    if (json != null && !json.get("grade").isJsonNull()) return new Verdict(json);
    String why = !errors.isEmpty() ? errors
        : json != null ? json.get("headline").getAsString() : "holdfast ended with " + exitCode;
    if (exitCode == UNAVAILABLE) throw new TestAbortedException(why);
    throw new IllegalStateException(why);
  }
}
