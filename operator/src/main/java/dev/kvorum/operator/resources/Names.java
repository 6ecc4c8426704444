package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import java.util.List;
import java.util.regex.Pattern;

/** What a cluster may be called: Services, pods, volumes and labels are called after it. */
final class Names {
  /** A pod's label has 63 characters, of which the hash of its revision takes eleven. */
  private static final int LENGTH_MAX = 45;

  private static final Pattern SERVICE = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");

  private Names() {}

  /** Why there can be no cluster of a name; nothing when there can. */
  static List<Notice> invalid(String name) {
    return name.length() <= LENGTH_MAX && SERVICE.matcher(name).matches()
        ? List.of()
        : List.of(
            new Notice(
                Reason.INVALID_NAME,
                "metadata.name: no Service can be called '"
                    + name
                    + "'; a name has small letters, digits and dashes, begins with a letter, does"
                    + " not end with a dash, and has at most "
                    + LENGTH_MAX
                    + " characters"));
  }
}
