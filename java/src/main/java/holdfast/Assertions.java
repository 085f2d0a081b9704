package holdfast;

/**
 * What only the author of a lock knows. May be called anywhere in the lock and at any time.
 *
 * <pre>
 * Assertions.always(!renewing, "no renewal after release");      // false: the lock is broken
 * Assertions.sometimes(attempts &gt; 1, "a request was retried"); // must be true at least once in the run
 * Assertions.reached("the fallback server is used");             // must come at least once in the run
 * </pre>
 */
public final class Assertions {
  /** Receives each evaluation. */
  public interface Sink {
    void evaluated(String kind, boolean holds, String name, String why);
  }

  private static volatile Sink sink = (kind, holds, name, why) -> {}; // outside of the lab

  private Assertions() {}

  /** Called by the program that serves the lock. */
  public static void to(Sink receiver) {
    sink = receiver;
  }

  public static void always(boolean holds, String name) {
    always(holds, name, "");
  }

  /** {@code why} tells more about a false one. */
  public static void always(boolean holds, String name, String why) {
    sink.evaluated("always", holds, name, why);
  }

  public static void sometimes(boolean holds, String name) {
    sink.evaluated("sometimes", holds, name, "");
  }

  public static void reached(String name) {
    sink.evaluated("reached", true, name, "");
  }
}
