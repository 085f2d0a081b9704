import com.google.gson.JsonObject;
import holdfast.Answer;
import holdfast.Assertions;
import holdfast.Hello;
import holdfast.LockAdapter;
import java.lang.reflect.Constructor;
import java.util.List;

/**
 * Serves a {@link LockAdapter} to holdfast: java HoldfastMain CLASS [ABILITY...]. Has no package, because
 * HoldfastAdapter has none.
 */
class HoldfastMain extends HoldfastAdapter {
  private final LockAdapter lock;
  private final List<String> can;

  HoldfastMain(LockAdapter lock, List<String> can) {
    this.lock = lock;
    this.can = can;
  }

  private static holdfast.Ask shown(Ask ask) {
    return new holdfast.Ask(ask.n(), ask.lock(), ask.thread(), ask.waitMs(), ask.leaseMs(), ask.mode());
  }

  @Override
  List<String> can() {
    return can;
  }

  @Override
  JsonObject acquire(Ask ask) throws Exception {
    return lock.acquire(shown(ask)).json();
  }

  @Override
  JsonObject release(Ask ask) throws Exception {
    return lock.release(shown(ask)).json();
  }

  @Override
  JsonObject renew(Ask ask) throws Exception {
    return lock.renew(shown(ask)).json();
  }

  @Override
  JsonObject owned(Ask ask) throws Exception {
    return lock.owned(shown(ask)).json();
  }

  @Override
  boolean notHeld(Exception error) {
    return lock.notHeld(error);
  }

  public static void main(String[] arguments) throws Exception {
    List<String> can = List.of(arguments).subList(1, arguments.length);
    Class<?> type = Class.forName(arguments[0], false, HoldfastMain.class.getClassLoader());
    Constructor<?> made = type.getDeclaredConstructor(Hello.class);
    made.setAccessible(true); // neither the class nor its constructor needs to be public
    Hello.Lost lost = HoldfastAdapter::lost;
    Assertions.to(HoldfastAdapter::evaluated);
    serve(hello -> new HoldfastMain((LockAdapter) made.newInstance(new Hello(hello, lost)), can), type);
  }
}
