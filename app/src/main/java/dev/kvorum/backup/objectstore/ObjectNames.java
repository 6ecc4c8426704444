package dev.kvorum.backup.objectstore;

import java.util.regex.Pattern;

/** Which names objects have: those that every store can hold, and that lead out of none. */
final class ObjectNames {
  private static final int LENGTH_MAX = 512; // S3 allows 1024 bytes, with the store's prefix
  private static final int SEGMENT_MAX = 200; // file systems allow 255
  private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9._-]+");

  private ObjectNames() {}

  static boolean areValid(String name) {
    if (name.length() > LENGTH_MAX) {
      return false;
    }
    for (String segment : name.split("/", -1)) {
      if (!isSegment(segment)) {
        return false;
      }
    }
    return true;
  }

  static boolean isSegment(String text) {
    return text.length() <= SEGMENT_MAX
        && SEGMENT.matcher(text).matches()
        && !text.equals(".")
        && !text.equals("..");
  }

  static String checked(String name) {
    if (!areValid(name)) {
      throw new IllegalArgumentException(
          "not a name of an object: '"
              + name
              + "'; a name consists of segments of A-Z, a-z, 0-9, '.', '_' and '-', separated by '/'");
    }
    return name;
  }

  /** A prefix is the beginning of a name: its last segment may be empty or incomplete. */
  static String checkedPrefix(String prefix) {
    int slash = prefix.lastIndexOf('/');
    String begin = prefix.substring(slash + 1);
    boolean valid = begin.isEmpty() || SEGMENT.matcher(begin).matches();
    if (!valid || (slash >= 0 && !areValid(prefix.substring(0, slash)))) {
      throw new IllegalArgumentException("not the beginning of an object's name: '" + prefix + "'");
    }
    return prefix;
  }
}
