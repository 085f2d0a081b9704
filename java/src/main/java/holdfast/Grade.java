package holdfast;

import java.util.Locale;

/** Grades of {@code holdfast try}, the best first. */
public enum Grade {
  SAFE,
  AS_SAFE_AS_A_LEASE,
  NOT_KNOWN,
  BROKEN;

  /** The grade as the program writes it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Grade of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
