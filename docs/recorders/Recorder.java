import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Records what workers ask of a lock and what they are told, for `holdfast check`: docs/own_log.md. One of a program: a
 * file of its own, PREFIX.PID-START.jsonl. Each thread takes a worker of it.
 */
public class Recorder {
  private final String name = ProcessHandle.current().pid() + "-" + System.nanoTime();
  private final AtomicInteger count = new AtomicInteger();
  private final FileOutputStream file;

  public Recorder(String prefix) throws IOException {
    file = new FileOutputStream(prefix + "." + name + ".jsonl", true);
  }

  public Worker worker() {
    return new Worker(name + "." + count.getAndIncrement());
  }

  public class Worker {
    private final String name;
    private int life;
    private boolean unsure;
    private String call;

    Worker(String name) {
      this.name = name;
    }

    /** "acquire", "renew" or "release", just before the call; the key needs no escapes in JSON. */
    public void before(String f, String key) throws IOException {
      if (f.equals("acquire") && unsure) life++; // after an unknown outcome whoever goes on is somebody else
      unsure = unsure && !f.equals("acquire");
      call = "\"f\":\"" + f + "\",\"key\":\"" + key + "\"";
      line("invoke", "");
    }

    /** "ok"; "fail" with the reason "busy" or "not_held"; "info" of an exception: just after the call. */
    public void after(String outcome, String reason) throws IOException {
      unsure = unsure || outcome.equals("info");
      line(outcome, reason.isEmpty() ? "" : ",\"reason\":\"" + reason + "\"");
    }

    private void line(String type, String more) throws IOException {
      String event = "{\"time\":%d,\"process\":\"%s.%d\",\"type\":\"%s\",%s%s}\n";
      String text = String.format(event, System.nanoTime(), name, life, type, call, more);
      file.write(text.getBytes(StandardCharsets.UTF_8)); // one write a line: whole, or not there
    }
  }
}
