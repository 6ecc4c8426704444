package dev.kvorum.placement.table;

import java.util.Comparator;

/**
 * The order in which members join a table: by the number at the end of the name, then by the name.
 *
 * <p>A StatefulSet grows and shrinks at its highest ordinal. With one set per zone, the cluster
 * grows round by round. In this order both are changes of the last member, which move the fewest
 * slots. Names without a number come first.
 */
public final class JoinOrder implements Comparator<String> {
  @Override
  public int compare(String left, String right) {
    String a = ordinal(left);
    String b = ordinal(right);
    // Without leading zeros, the longer number is larger, however many digits it has.
    if (a.length() != b.length()) {
      return Integer.compare(a.length(), b.length());
    }
    int byOrdinal = a.compareTo(b);
    return byOrdinal != 0 ? byOrdinal : left.compareTo(right);
  }

  private static String ordinal(String name) {
    int begin = name.length();
    while (begin > 0 && isDigit(name.charAt(begin - 1))) {
      begin--;
    }
    while (begin < name.length() - 1 && name.charAt(begin) == '0') {
      begin++;
    }
    return name.substring(begin);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
