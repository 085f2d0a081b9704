package holdfast;

/**
 * A request to a lock: see docs/adapters.md, "All messages".
 *
 * @param n the request's number, unique in this program
 * @param lock the lock's key
 * @param thread the thread that asks; 0 unless the lock can {@code threads}
 * @param waitMs the longest wait; 0: try once, -1: wait forever
 * @param leaseMs the length of the lease; -1 if the request has none
 * @param mode {@code shared}, or empty: exclusive
 */
public record Ask(long n, String lock, long thread, long waitMs, long leaseMs, String mode) {
  /** Identifies a grant in this program: its thread and its lock. */
  public String key() {
    return thread + "/" + lock;
  }
}
