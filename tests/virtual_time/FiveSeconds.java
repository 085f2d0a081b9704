// Waits for five seconds in several ways, and prints how many milliseconds each took by the program's clock.
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

public class FiveSeconds {
  interface Wait {
    void run() throws Exception;
  }

  static void time(Wait wait) throws Exception {
    long begin = System.nanoTime();
    wait.run();
    System.out.println((System.nanoTime() - begin) / 1e6);
  }

  public static void main(String[] arguments) throws Exception {
    Object monitor = new Object();
    time(() -> Thread.sleep(5000));
    time(() -> {
      synchronized (monitor) {
        monitor.wait(5000);
      }
    });
    time(() -> LockSupport.parkNanos(5_000_000_000L));
    time(() -> new LinkedBlockingQueue<Integer>().poll(5, TimeUnit.SECONDS));
    var timer = Executors.newSingleThreadScheduledExecutor();
    time(() -> timer.schedule(() -> 1, 5, TimeUnit.SECONDS).get());
    timer.shutdown();
  }
}
