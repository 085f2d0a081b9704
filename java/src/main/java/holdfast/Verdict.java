package holdfast;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The result of {@code holdfast try}. */
public final class Verdict {
  private static final List<String> JUDGED = List.of("safe", "data_damaged", "two_believed", "wrong_answer");

  private final JsonObject json;

  Verdict(JsonObject json) {
    this.json = json;
  }

  /** The message of {@code holdfast try --json}: see docs/try.schema.json. */
  public JsonObject json() {
    return json;
  }

  public Grade grade() {
    return Grade.of(text(json.getAsJsonObject("grade"), "word"));
  }

  /** Returns true if the lock has this grade or a better one; only a broken lock meets BROKEN. */
  public boolean meets(Grade grade) {
    return grade == Grade.BROKEN ? grade() == grade : grade().compareTo(grade) <= 0;
  }

  /** The story of each broken promise, the report and the commands that show it again. */
  public String text(Grade expected) {
    List<String> lines = new ArrayList<>();
    lines.add(text(json, "lock") + ": expected " + expected.word() + ", is " + grade().word());
    lines.add(text(json, "headline"));
    lines.add(text(json.getAsJsonObject("grade"), "reason"));
    for (JsonObject one : broken()) {
      JsonObject schedule = one.has("schedule") ? one.getAsJsonObject("schedule") : new JsonObject();
      String cause = first(text(schedule, "cause"), text(one, "cause"));
      lines.add("\n" + text(one, "story"));
      if (!cause.isEmpty()) lines.add("cause: " + cause);
      if (!text(schedule, "steps").isEmpty()) lines.add(text(schedule, "steps"));
      lines.add("replay: " + first(text(schedule, "again"), text(one, "again")));
    }
    lines.add("\nreport: " + text(json, "page"));
    lines.add("again: " + text(json, "again"));
    return String.join("\n", lines);
  }

  /** All judged cases, each with the story of the broken promise that it shows, or with an empty one. */
  public Map<String, String> cases() {
    Map<String, String> cases = new LinkedHashMap<>();
    for (JsonObject one : broken()) addCases(cases, one, text(one, "story"));
    for (String key : JUDGED) {
      for (JsonElement one : json.getAsJsonArray(key)) addCases(cases, one.getAsJsonObject(), "");
    }
    return cases;
  }

  // The other findings are those that no lease alone prevents.
  private List<JsonObject> broken() {
    List<JsonObject> broken = new ArrayList<>();
    for (JsonElement one : json.getAsJsonArray("findings")) {
      if (one.getAsJsonObject().get("promise_broken").getAsBoolean()) broken.add(one.getAsJsonObject());
    }
    return broken;
  }

  private static void addCases(Map<String, String> cases, JsonObject from, String story) {
    for (JsonElement name : from.getAsJsonArray("cases")) cases.putIfAbsent(name.getAsString(), story);
  }

  private static String first(String one, String other) {
    return one.isEmpty() ? other : one;
  }

  private static String text(JsonObject json, String key) {
    return json.has(key) ? json.get(key).getAsString() : "";
  }
}
