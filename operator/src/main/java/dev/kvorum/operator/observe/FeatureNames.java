package dev.kvorum.operator.observe;

import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Parses names of features; what is none is ignored. */
final class FeatureNames {
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,40}");

  private FeatureNames() {}

  static Set<String> of(Stream<String> texts) {
    return texts
        .map(String::strip)
        .filter(text -> NAME.matcher(text).matches())
        .collect(Collectors.toSet());
  }
}
