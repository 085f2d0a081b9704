package holdfast;

import com.google.gson.JsonObject;

/** An answer to a request. An exception is one, too: it means that the outcome is unknown. */
public final class Answer {
  /** Done. */
  public static final Answer OK = new Answer("ok");
  /** Another client holds the lock. */
  public static final Answer BUSY = new Answer("busy");
  /** This client does not hold the lock (any more). */
  public static final Answer NOT_HELD = new Answer("not_held");
  /** Certainly not done. */
  public static final Answer FAIL = new Answer("fail");
  /** Unknown whether it was done, as after a timeout. */
  public static final Answer UNKNOWN = new Answer("info");
  /** This client still holds the lock. */
  public static final Answer YES = new Answer("yes");
  /** This client does not hold the lock. */
  public static final Answer NO = new Answer("no");

  private final JsonObject json;

  private Answer(String outcome) {
    json = new JsonObject();
    json.addProperty("is", outcome);
  }

  private Answer(JsonObject json) {
    this.json = json;
  }

  /** This answer with a field more: {@code OK.with("token", 7)}, {@code OK.with("lease_ms", 1500)}. */
  public Answer with(String field, long value) {
    JsonObject more = json.deepCopy();
    more.addProperty(field, value);
    return new Answer(more);
  }

  /** This answer with an explanation for people. */
  public Answer why(String text) {
    JsonObject more = json.deepCopy();
    more.addProperty("why", text);
    return new Answer(more);
  }

  /** A copy of the message. */
  public JsonObject json() {
    return json.deepCopy();
  }
}
