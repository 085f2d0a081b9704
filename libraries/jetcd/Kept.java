import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A lease that is kept alive: what the library tells of it, and how long it lasts at least, by our own count. */
class Kept implements StreamObserver<LeaseKeepAliveResponse> {
  private static final Executor SETTLED = // by then an `ok` is written, so that no loss is told before its grant
      CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS);

  private final BiConsumer<Kept, String> told;
  private final long leaseNs;
  private long answeredNs;
  private long untilNs;
  private volatile boolean over;

  Kept(long askedNs, long seconds, BiConsumer<Kept, String> told) {
    this.told = told;
    leaseNs = TimeUnit.SECONDS.toNanos(seconds);
    answeredNs = askedNs;
    untilNs = askedNs + leaseNs;
  }

  @Override
  public synchronized void onNext(LeaseKeepAliveResponse kept) {
    untilNs = answeredNs + leaseNs; // it was asked for after the answer before
    answeredNs = System.nanoTime();
  }

  @Override
  public void onError(Throwable error) { // also a stream that broke, which the library begins anew
    if (error.getMessage() != null && error.getMessage().contains("lease not found")) ended("lease not found");
  }

  @Override
  public void onCompleted() { // no answer for as long as the lease lasts
    ended("not kept alive");
  }

  private void ended(String why) {
    over = true;
    SETTLED.execute(() -> told.accept(this, why));
  }

  boolean over() {
    return over;
  }

  synchronized boolean lasts() {
    return !over && System.nanoTime() < untilNs;
  }
}
