import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.SetParams;

/** Workers that share a lock on Redis, with the recorder: Worker PREFIX PORT sound|unsure|no_lock|frees. */
public class Worker {
  static final String DELETE =
      "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

  static void rest() throws InterruptedException {
    Thread.sleep(ThreadLocalRandom.current().nextInt(1, 5));
  }

  static void work(Recorder.Worker log, String owner, int port, String mode) throws Exception {
    try (Jedis server = new Jedis("127.0.0.1", port)) {
      for (int turn = 0; turn < 40; turn++) {
        String mine = owner + "." + turn;
        log.before("acquire", "orders");
        String set = server.set("orders", mine, SetParams.setParams().nx().px(30000));
        boolean granted = set != null || mode.equals("no_lock");
        boolean unsure = mode.equals("unsure") && turn % 7 == 0; // as if the reply had been lost
        if (unsure) log.after("info", "");
        else log.after(granted ? "ok" : "fail", granted ? "" : "busy");
        if (granted || unsure || (mode.equals("frees") && turn % 5 == 0)) {
          rest();
          log.before("release", "orders");
          Object freed =
              mode.equals("frees") ? server.del("orders") : server.eval(DELETE, List.of("orders"), List.of(mine));
          boolean done = freed.equals(1L) || mode.equals("no_lock");
          log.after(done ? "ok" : "fail", done ? "" : "not_held");
        }
        rest();
      }
    }
  }

  public static void main(String[] given) throws Exception {
    Recorder recorder = new Recorder(given[0]);
    List<Thread> threads = new ArrayList<>();
    for (int number = 0; number < 4; number++) {
      String owner = ProcessHandle.current().pid() + "." + number;
      threads.add(new Thread(() -> {
        try {
          work(recorder.worker(), owner, Integer.parseInt(given[1]), given[2]);
        } catch (Exception error) {
          error.printStackTrace();
          System.exit(1);
        }
      }));
    }
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
  }
}
