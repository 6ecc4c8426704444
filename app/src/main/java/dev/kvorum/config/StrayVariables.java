package dev.kvorum.config;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds environment variables that look like settings and are none. Spring rejects a misspelt
 * argument but ignores a misspelt variable, which may belong to another program.
 */
public final class StrayVariables {
  private static final String PREFIX = "KVORUM_";

  /** The variable in which the operator names the settings of a spec, separated by commas. */
  private static final String SPEC = "KVORUM_SPEC_SETTINGS";

  /** Variables that are no settings. */
  private static final Set<String> OTHERS = Set.of("KVORUM_JAVA_OPTS", "KVORUM_FILES", SPEC);

  /** The variables of all settings. */
  private static final Set<String> OF_SETTINGS =
      SettingNames.list().stream()
          // Spring takes a dash for an underscore as well.
          .flatMap(name -> Stream.of(variable(name), variable(name.replace('-', '_'))))
          .collect(Collectors.toSet());

  /** Variables that Kubernetes sets for each Service; group 1 is the Service's name. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile("(.+?)_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_\\d+_(TCP|UDP|SCTP)(_.*)?)?)");

  private StrayVariables() {}

  /** Returns those among the names of variables, sorted. */
  public static List<String> in(Set<String> variables) {
    return variables.stream()
        .filter(name -> name.startsWith(PREFIX) && !OTHERS.contains(name))
        .filter(name -> !OF_SETTINGS.contains(name) && !isServiceLink(name, variables))
        .sorted()
        .toList();
  }

  /**
   * Returns the settings of a spec that are none, as they are written there. Their variables are
   * certainly meant for this node. Settings of other families, such as {@code logging.level.root},
   * are Spring's, unless one of Kvorum's has the rest of their name.
   */
  public static List<String> ofSpec(Map<String, String> environment) {
    return Stream.of(environment.getOrDefault(SPEC, "").split(","))
        .filter(name -> !name.isEmpty())
        .filter(StrayVariables::isStray)
        .toList();
  }

  private static boolean isStray(String name) {
    String variable = variable(name.replaceFirst("\\.\\d+$", ""));
    if (OF_SETTINGS.contains(variable)) {
      return false;
    }
    return variable.startsWith(PREFIX)
        || OF_SETTINGS.contains(PREFIX + variable)
        || OF_SETTINGS.contains(variable.replaceFirst("[^_]*_", PREFIX));
  }

  private static String variable(String setting) {
    return setting.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
  }

  private static boolean isServiceLink(String name, Set<String> variables) {
    Matcher link = SERVICE_LINK.matcher(name);
    return link.matches() && variables.contains(link.group(1) + "_SERVICE_HOST");
  }
}
