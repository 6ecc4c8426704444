package dev.kvorum.http.request;

import dev.kvorum.data.Version;
import java.util.stream.Stream;

/** The version of a record as the strong ETag of HTTP (RFC 9110, section 8.8.3). */
public final class EntityTag {
  private EntityTag() {}

  /** Returns the tag of a version. */
  public static String of(Version version) {
    return '"' + version.toString() + '"';
  }

  /** Returns whether the list of {@code If-None-Match} has a tag; weak tags match (13.1.2). */
  static boolean isIn(String list, String tag) {
    return Stream.of(list.split(",", -1))
        .map(String::strip)
        .anyMatch(one -> one.equals("*") || one.equals(tag) || one.equals("W/" + tag));
  }
}
