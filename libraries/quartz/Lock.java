import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.ObjectAlreadyExistsException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/**
 * A clustered Quartz: each key is a job that must not run twice at once, with a trigger that fires again and again.
 * The job's body waits for its release.
 */
public class Lock extends HoldfastAdapter {
  private static final long STORED_MS = 20_000; // by then a release is stored, or nobody knows
  private static final ThreadLocal<Run> HERE = new ThreadLocal<>(); // what a thread of the pool runs
  private static Lock adapter; // Quartz makes the jobs, of their class alone

  /** A body that waits, and whether the store has heard of its end. */
  static class Run {
    final CountDownLatch released = new CountDownLatch(1);
    final CountDownLatch stored = new CountDownLatch(1);
  }

  /** The job. The same node may fire it while an earlier run still waits: then as another thread. */
  @DisallowConcurrentExecution
  public static class Body implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      String key = context.getJobDetail().getKey().getName();
      Run run = new Run();
      long thread = 0;
      while (adapter.runs.putIfAbsent(thread + "/" + key, run) != null) thread++;
      HERE.set(run);
      adapter.granted(key, thread);
      try {
        run.released.await();
      } catch (InterruptedException ending) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Told by the pool once all is done that belongs to a firing. */
  static void done() {
    Run run = HERE.get();
    HERE.remove();
    if (run != null) run.stored.countDown();
  }

  private final Map<String, Run> runs = new ConcurrentHashMap<>();
  private final Scheduler scheduler;

  Lock(JsonObject hello) throws Exception {
    adapter = this;
    Store.makeTables(server(hello));
    scheduler = new StdSchedulerFactory(Store.properties(hello)).getScheduler();
    long everyMs = number(hello.getAsJsonObject("options"), "every_ms", 100);
    for (JsonElement key : hello.getAsJsonArray("locks")) schedule(key.getAsString(), everyMs);
  }

  private void schedule(String key, long everyMs) {
    var often = SimpleScheduleBuilder.simpleSchedule().withIntervalInMilliseconds(everyMs).repeatForever();
    var job = JobBuilder.newJob(Body.class).withIdentity(key).build();
    try {
      scheduler.scheduleJob(job, TriggerBuilder.newTrigger().withIdentity(key).withSchedule(often).build());
    } catch (ObjectAlreadyExistsException there) { // another node was first
    } catch (SchedulerException away) { // the server, when we start: then another node has done it
      away.printStackTrace();
    }
  }

  @Override
  void begun() throws SchedulerException {
    scheduler.start();
  }

  @Override
  List<String> can() {
    return List.of("background", "block");
  }

  @Override
  JsonObject acquire(Ask ask) {
    return is("fail", "nobody asks: jobs begin by themselves");
  }

  @Override
  JsonObject release(Ask ask) throws InterruptedException {
    Run run = runs.remove(ask.key());
    run.released.countDown();
    return run.stored.await(STORED_MS, TimeUnit.MILLISECONDS) ? is("ok") : is("info", "not stored yet");
  }

  public static void main(String[] arguments) throws Exception {
    serve(Lock::new, Scheduler.class);
  }
}
