package dev.kvorum.operator.observe;

/** The numbers at the end of the names that a StatefulSet gives. */
public final class Ordinals {
  private Ordinals() {}

  /** The number, or -1 for a name that ends in none. */
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
