package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import java.util.List;
import java.util.regex.Pattern;

/** Checks names of clusters: Services, pods, volumes and labels are named after them. */
final class Names {
  /**
   * A label value of a pod has at most 63 characters, of which the hash of the pod's revision takes
   * 11.
   */
  private static final int LENGTH_MAX = 45;

  private static final Pattern SERVICE = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");

  private Names() {}

  /** Returns why a name is not valid; empty if it is. */
  static List<Notice> invalid(String name) {
    return name.length() <= LENGTH_MAX && SERVICE.matcher(name).matches()
        ? List.of()
        : List.of(
            new Notice(
                Reason.INVALID_NAME,
                "metadata.name: '"
                    + name
                    + "' is not a valid Service name: it must have lower-case letters, digits and"
                    + " dashes, begin with a letter, not end with a dash, and have at most "
                    + LENGTH_MAX
                    + " characters"));
  }
}
