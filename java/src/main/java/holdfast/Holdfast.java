package holdfast;

/**
 * Tests whether a distributed lock is safe, with the program {@code holdfast}.
 *
 * <pre>
 * &#64;TestFactory
 * Stream&lt;DynamicNode&gt; myLock() {
 *   return Holdfast.tryLock(MyLock.class, "redis").expect(Grade.AS_SAFE_AS_A_LEASE); // each case is a test
 * }
 *
 * &#64;Test
 * void myFile() {
 *   Holdfast.tryLock("my_lock.sql").check(Grade.AS_SAFE_AS_A_LEASE); // one test
 * }
 * </pre>
 */
public final class Holdfast {
  private Holdfast() {}

  /** Tests a class, which has a constructor with a {@link Hello}. {@code servers}: kinds, such as "redis". */
  public static Trial tryLock(Class<? extends LockAdapter> lock, String... servers) {
    return new Trial(new AdapterFolder(lock, servers));
  }

  /** Tests a file of statements or an adapter's folder (a path or a test resource), or a built-in lock. */
  public static Trial tryLock(String lock) {
    return new Trial(lock);
  }
}
