import com.github.kagkarlsson.scheduler.CurrentlyExecuting;
import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.event.AbstractSchedulerListener;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.task.schedule.FixedDelay;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * db-scheduler: each key is a recurring task, whose body waits for its release. With the option `beats` a node is dead
 * after a lease; with `watched` a body looks at its heartbeat and ends before it counts as dead; `lock_and_fetch` is
 * the other way to poll.
 */
public class Lock extends HoldfastAdapter {
  private static final long STORED_MS = 20_000; // by then a release is stored, or nobody knows
  private static final long LOOK_MS = 50; // between two looks at the heartbeat
  private static final double DYING = 0.7; // as in the library's example of a task that monitors it
  private static final ThreadLocal<Run> HERE = new ThreadLocal<>(); // what a thread of the scheduler runs

  /** A body that waits, and what became of its end. */
  static class Run {
    final CountDownLatch released = new CountDownLatch(1);
    final CountDownLatch stored = new CountDownLatch(1);
    volatile boolean failed;
  }

  /** Told in the thread of the body, once its end is stored or could not be. */
  static class Ends extends AbstractSchedulerListener {
    @Override
    public void onSchedulerEvent(SchedulerEventType type) {
      Run run = HERE.get();
      if (run != null && type == SchedulerEventType.COMPLETIONHANDLER_ERROR) run.failed = true;
    }

    @Override
    public void onExecutionComplete(ExecutionComplete complete) {
      Run run = HERE.get();
      HERE.remove();
      if (run != null) run.stored.countDown();
    }
  }

  private final Map<String, Run> runs = new ConcurrentHashMap<>();
  private final Scheduler scheduler;
  private final boolean watched;

  Lock(JsonObject hello) {
    watched = option(hello, "watched");
    FixedDelay often = FixedDelay.of(Duration.ofMillis(number(hello.getAsJsonObject("options"), "every_ms", 100)));
    List<RecurringTask<Void>> tasks = new ArrayList<>();
    for (JsonElement one : hello.getAsJsonArray("locks")) {
      String key = one.getAsString();
      tasks.add(Tasks.recurring(key, often).execute((task, context) -> body(key, context.getCurrentlyExecuting())));
    }
    var builder = Scheduler.create(Source.of(server(hello))).startTasks(tasks).addSchedulerListener(new Ends());
    builder.pollingInterval(Duration.ofMillis(number(hello.getAsJsonObject("options"), "poll_ms", 10_000)));
    if (text(server(hello), "kind").equals("mysql")) builder.alwaysPersistTimestampInUTC(); // as it asks of MariaDB
    if (option(hello, "lock_and_fetch")) builder.pollUsingLockAndFetch(0.5, 1.0);
    long lease = number(hello, "lease_ms", 0);
    if (option(hello, "beats")) builder.heartbeatInterval(Duration.ofMillis(lease / 4)).missedHeartbeatsLimit(4);
    scheduler = builder.build();
  }

  /** The same node may begin it while an earlier run still waits: then as another thread. */
  private void body(String key, CurrentlyExecuting state) {
    Run run = new Run();
    long thread = 0;
    while (runs.putIfAbsent(thread + "/" + key, run) != null) thread++;
    HERE.set(run);
    granted(key, thread);
    try {
      while (!run.released.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
        if (!watched || state.getHeartbeatState().getFractionDead() < DYING) continue;
        if (runs.remove(thread + "/" + key, run)) lost(key, thread, state.getHeartbeatState().describe());
        return;
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  void begun() {
    scheduler.start();
  }

  @Override
  List<String> can() {
    return watched ? List.of("background", "block", "lost") : List.of("background", "block");
  }

  @Override
  JsonObject acquire(Ask ask) {
    return is("fail", "nobody asks: tasks begin by themselves");
  }

  @Override
  JsonObject release(Ask ask) throws InterruptedException {
    Run run = runs.remove(ask.key());
    if (run == null) return is("not_held");
    run.released.countDown();
    if (!run.stored.await(STORED_MS, TimeUnit.MILLISECONDS)) return is("info", "not stored yet");
    return run.failed ? is("info", "its end could not be stored") : is("ok");
  }

  public static void main(String[] arguments) throws Exception {
    serve(Lock::new, Scheduler.class);
  }
}
