package dev.kvorum.operator.view;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The release that a node runs or an image contains.
 *
 * @param version of the product; empty if it is not known
 * @param protocols the versions of the protocol between nodes that it has, {@code min..max}; empty
 *     if they are not known
 * @param features the features that it has
 */
public record Release(String version, String protocols, Set<String> features) {
  /** Of a node or image that could not be asked. */
  public static final Release UNKNOWN = new Release("", "", Set.of());

  /** Of a node or image that names no release. */
  public static final Release UNNAMED = new Release("", "3..3", Set.of());

  private static final Pattern RANGE = Pattern.compile("([0-9]{1,6})\\.\\.([0-9]{1,6})");

  public Release {
    features = Set.copyOf(features);
  }

  /** Returns whether nodes of both can talk to each other; true if either is not known. */
  public boolean worksWith(Release other) {
    Matcher own = RANGE.matcher(protocols);
    Matcher others = RANGE.matcher(other.protocols);
    return !own.matches()
        || !others.matches()
        || (min(own) <= max(others) && min(others) <= max(own));
  }

  /** Returns whether it is known which versions of the protocol it has. */
  public boolean hasProtocols() {
    return RANGE.matcher(protocols).matches();
  }

  private static int min(Matcher range) {
    return Integer.parseInt(range.group(1));
  }

  private static int max(Matcher range) {
    return Integer.parseInt(range.group(2));
  }

  @Override
  public String toString() {
    return (version.isEmpty() ? "a release" : version) + " with protocol " + protocols;
  }
}
