// Every clock of Java, for each line of its input, in its first thread and in another, and around a sleep.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

class Clock {
  static long instant() {
    Instant now = Instant.now();
    return now.getEpochSecond() * 1_000_000_000L + now.getNano();
  }

  public static void main(String[] arguments) throws Exception {
    ExecutorService other = Executors.newSingleThreadExecutor(
        task -> {
          Thread thread = new Thread(task);
          thread.setDaemon(true);
          return thread;
        });
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    while (in.readLine() != null) {
      long asked = System.nanoTime();
      Thread.sleep(50);
      long slept = System.nanoTime();
      System.out.println(
          "wall=" + instant() + " wall_of_another=" + other.submit(Clock::instant).get()
              + " milli=" + System.currentTimeMillis() * 1_000_000L
              + " monotonic_asked=" + asked + " monotonic_slept=" + slept);
    }
  }
}
