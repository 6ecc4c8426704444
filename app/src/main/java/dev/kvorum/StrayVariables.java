package dev.kvorum;

import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Environment variables that look like settings and are none. A misspelt argument is refused by
 * Spring; a misspelt variable it passes over, since it cannot know whose it is.
 */
final class StrayVariables {
  private static final String PREFIX = "KVORUM_";

  /** The launcher's own. */
  private static final Set<String> OTHERS = Set.of("KVORUM_JAVA_OPTS", "KVORUM_FILES");

  /** What Kubernetes gives to all pods beside a service whose name begins so. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "KVORUM_(.*_)?(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT|PORT_\\d+_(TCP|UDP)(_.*)?)");

  private StrayVariables() {}

  /** Those among the names of variables, sorted. */
  static List<String> in(Set<String> variables) {
    Set<String> settings = new HashSet<>();
    addSettings("KVORUM", KvorumProperties.class, settings);
    return variables.stream()
        .filter(name -> name.startsWith(PREFIX) && !OTHERS.contains(name))
        .filter(name -> !SERVICE_LINK.matcher(name).matches())
        .filter(name -> !settings.contains(name.replace("_", "")))
        .sorted()
        .toList();
  }

  private static void addSettings(String prefix, Class<?> group, Set<String> settings) {
    for (RecordComponent component : group.getRecordComponents()) {
      String name = prefix + component.getName().toUpperCase(Locale.ROOT);
      if (component.getType().isRecord()) {
        addSettings(name, component.getType(), settings);
      } else {
        settings.add(name);
      }
    }
  }
}
