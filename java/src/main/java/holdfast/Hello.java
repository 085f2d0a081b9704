package holdfast;

import com.google.gson.JsonObject;

/** The first message to a lock: the servers, and the client's name. */
public final class Hello {
  /** Receives the loss of a grant. */
  public interface Lost {
    void lost(String lock, long thread, String why);
  }

  private final JsonObject json;
  private final Lost lost;

  public Hello(JsonObject json, Lost lost) {
    this.json = json;
    this.lost = lost;
  }

  /** The message with all its fields: see docs/adapters.md, "All messages". */
  public JsonObject json() {
    return json;
  }

  /** The client's name, unique in the trial. */
  public String owner() {
    return json.get("owner").getAsString();
  }

  /** The first of the lock's servers: {@code kind}, {@code host}, {@code port}; of a database more. */
  public JsonObject server() {
    return json.getAsJsonArray("servers").get(0).getAsJsonObject();
  }

  /** The first server's address. */
  public String host() {
    return server().get("host").getAsString();
  }

  /** The first server's port. */
  public int port() {
    return server().get("port").getAsInt();
  }

  /** Reports that the library lost a grant. Needs the ability {@code lost}. */
  public void lost(Ask ask, String why) {
    lost.lost(ask.lock(), ask.thread(), why);
  }
}
