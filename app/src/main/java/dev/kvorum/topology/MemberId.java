package dev.kvorum.topology;

import java.util.regex.Pattern;

/**
 * A member's stable name, such as {@code kvorum-0}. It is the member's identity; its address may
 * change.
 */
public record MemberId(String name) implements Comparable<MemberId> {
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

  /**
   * Validates the name.
   *
   * @throws IllegalArgumentException if it is not a DNS-like label of 1 to 63 characters
   */
  public MemberId {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'"
              + name
              + "' is not a member name: 1 to 63 letters, digits, '-', '_' or '.',"
              + " beginning and ending with a letter or digit");
    }
  }

  /**
   * The writer number in versions for a data directory of this member. A member that loses its disk
   * also loses the record of the versions that it issued. With another number it cannot issue one
   * of them again.
   *
   * @param incarnation incarnation of the data directory
   */
  public int writer(long incarnation) {
    return 31 * name.hashCode() + Long.hashCode(incarnation);
  }

  @Override
  public int compareTo(MemberId other) {
    return name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return name;
  }
}
