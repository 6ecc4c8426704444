package dev.kvorum.config;

import java.util.List;
import java.util.Locale;
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

  /** Variables of the launcher. */
  private static final Set<String> OTHERS = Set.of("KVORUM_JAVA_OPTS", "KVORUM_FILES");

  /** Variables that Kubernetes sets for each Service; group 1 is the Service's name. */
  private static final Pattern SERVICE_LINK =
      Pattern.compile("(.+?)_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_\\d+_(TCP|UDP|SCTP)(_.*)?)?)");

  private StrayVariables() {}

  /** Returns those among the names of variables, sorted. */
  public static List<String> in(Set<String> variables) {
    Set<String> settings =
        SettingNames.list().stream()
            // Spring takes a dash for an underscore as well.
            .flatMap(name -> Stream.of(name.replace("-", ""), name.replace('-', '_')))
            .map(name -> name.replace('.', '_').toUpperCase(Locale.ROOT))
            .collect(Collectors.toSet());
    return variables.stream()
        .filter(name -> name.startsWith(PREFIX) && !OTHERS.contains(name))
        .filter(name -> !settings.contains(name) && !isServiceLink(name, variables))
        .sorted()
        .toList();
  }

  private static boolean isServiceLink(String name, Set<String> variables) {
    Matcher link = SERVICE_LINK.matcher(name);
    return link.matches() && variables.contains(link.group(1) + "_SERVICE_HOST");
  }
}
