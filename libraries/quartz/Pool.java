import org.quartz.simpl.SimpleThreadPool;

/** Quartz's pool of threads as it comes, which tells when a firing is over: no listener is called so late. */
public class Pool extends SimpleThreadPool {
  @Override
  public boolean runInThread(Runnable firing) {
    return super.runInThread(() -> {
      firing.run(); // the job, and what the store is told of its end
      Lock.done();
    });
  }
}
