package dev.kvorum.topology;

import java.util.regex.Pattern;

/**
 * A member's stable name, such as {@code kvorum-0}: its identity. An address is only today's route.
 */
public record MemberId(String name) implements Comparable<MemberId> {
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

  /**
   * Checks the name.
   *
   * @throws IllegalArgumentException when it is not a DNS-like label of 1 to 63 characters
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
   * The number that stands for a data directory of this member in versions. With its disk a member
   * loses what it knew of the versions that it gave; under another number it cannot give one of
   * them again.
   *
   * @param incarnation of the data directory
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
