package dev.kvorum.operator.view;

/** Parses the ordinals at the end of the names that a StatefulSet assigns. */
public final class Ordinals {
  private Ordinals() {}

  /** Returns the ordinal; -1 for a name that does not end in one. */
  public static int of(String name) {
    String digits = name.substring(name.lastIndexOf('-') + 1);
    if (digits.isEmpty()
        || digits.length() > 6
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    return Integer.parseInt(digits);
  }
}
