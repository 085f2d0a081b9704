package holdfast;

/**
 * A lock to test: wraps a library. Each client in the lab has a process of its own with one object of the class, whose
 * constructor takes a {@link Hello} and connects.
 *
 * <p>A release, renewal or question about a lock that this client does not hold is answered without a call. An
 * exception means that the outcome is unknown. To override {@code renew} or {@code owned} declares that ability.
 */
public interface LockAdapter {
  /** Answers OK or BUSY. */
  Answer acquire(Ask ask) throws Exception;

  /** Answers OK or NOT_HELD. */
  Answer release(Ask ask) throws Exception;

  /** Answers OK or NOT_HELD. */
  default Answer renew(Ask ask) throws Exception {
    return Answer.FAIL;
  }

  /** Answers YES or NO. */
  default Answer owned(Ask ask) throws Exception {
    return Answer.UNKNOWN;
  }

  /** Returns true if the library documents this exception of release, renew or owned as "not held". */
  default boolean notHeld(Exception error) {
    return false;
  }
}
