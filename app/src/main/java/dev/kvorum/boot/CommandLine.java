package dev.kvorum.boot;

import dev.kvorum.config.SettingNames;
import dev.kvorum.rpc.Release;
import dev.kvorum.topology.Feature;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The arguments of a node. Spring ignores an option that it does not know, and what is none: a node
 * with a misspelt port would run on the default one.
 */
public final class CommandLine {
  private static final String USAGE =
      """
      Usage: kvorum-node [--NAME=VALUE …]
             kvorum-node --version | --print-protocol | --print-release=FILE
      Runs one node until it is stopped (SIGTERM or Ctrl-C). Each setting is also an environment variable: KVORUM_NODE_NAME
      is --kvorum.node.name. --print-protocol prints the versions of the protocol between nodes, min..max; --print-release writes both
      to a file, for the operator. Durations need a unit (500ms, 10s, 1m, 7d); sizes are in powers of 1024 (256KB, 64MB).
      """;

  /** The documentation of all settings, a part of the jar. */
  private static final String PAGE = "/META-INF/settings.md";

  /** For the operator: a pod's termination message is a file. */
  private static final String RELEASE = "--print-release=";

  private static final Pattern ROW = Pattern.compile("\\| `(.+?)` \\| (.*?) \\| (.*) \\|");
  private static final Pattern GROUP = Pattern.compile("## Settings (.*)");

  /** Metadata of Spring's own settings, in its jars. */
  private static final List<String> METADATA =
      List.of(
          "META-INF/spring-configuration-metadata.json",
          "META-INF/additional-spring-configuration-metadata.json");

  private CommandLine() {}

  /**
   * What is printed instead of starting a node.
   *
   * @param file where to write it; empty for the standard output
   */
  public record Output(String text, String file) {}

  /** Returns what to print if the arguments ask for that instead of a node. */
  public static Optional<Output> output(String... arguments) {
    return Stream.of(arguments).map(CommandLine::output).filter(Objects::nonNull).findFirst();
  }

  private static @Nullable Output output(String argument) {
    Release release = Release.CURRENT;
    return switch (argument) {
      case "--help", "-h", "help", "-?" -> new Output(help(), "");
      case "--version" -> new Output(release.version() + "\n", "");
      case "--print-protocol" -> new Output(release.protocols() + "\n", "");
      default ->
          argument.startsWith(RELEASE)
              ? new Output(
                  "version=%s\nprotocols=%s\nfeatures=%s\n"
                      .formatted(
                          release.version(),
                          release.protocols(),
                          Feature.names(release.features())),
                  argument.substring(RELEASE.length()))
              : null;
    };
  }

  /** Returns the usage and all settings with their defaults and meanings. */
  public static String help() {
    StringBuilder help = new StringBuilder(USAGE);
    page()
        .lines()
        .forEach(line -> {
          Matcher row = ROW.matcher(line);
          Matcher group = GROUP.matcher(line);
          if (group.matches()) {
            help.append('\n').append(plain(group.group(1))).append('\n');
          } else if (row.matches()) {
            String value = plain(row.group(2));
            help.append("  --").append(row.group(1)).append('=');
            help.append(value.equals("empty") ? "" : value).append('\n');
            help.append("      ").append(plain(row.group(3))).append('\n');
          }
        });
    return help.toString();
  }

  private static String plain(String markdown) {
    return markdown.replace("`", "").replace("\\|", "|");
  }

  private static String page() {
    try (InputStream page = CommandLine.class.getResourceAsStream(PAGE)) {
      return new String(Objects.requireNonNull(page, PAGE).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what is wrong with the arguments and what would be right, in one line. */
  public static Optional<String> mistake(String... arguments) {
    Set<String> seen = new HashSet<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (!argument.startsWith("--") || argument.equals("--")) {
        return Optional.of("'" + argument + "' is no option; options are --NAME=VALUE, see --help");
      }
      String name = argument.substring(2, equals < 0 ? argument.length() : equals);
      if (!isKnown(name)) {
        return Optional.of(unknown("--", name));
      }
      if (equals < 0) {
        return Optional.of("--" + name + " has no value; write --" + name + "=VALUE");
      }
      if (!seen.add(SettingNames.uniform(name))) {
        return Optional.of("--" + name + " is given twice; give it once");
      }
    }
    return Optional.empty();
  }

  /** The message about an unknown setting, with the one that may have been meant. */
  static String unknown(String dashes, String name) {
    String meant =
        SettingNames.nearest(name)
            .map(near -> "; did you mean " + dashes + near + "?")
            .orElse("; --help lists all settings");
    return dashes + name + " is no setting" + meant;
  }

  private static boolean isKnown(String name) {
    String wanted = SettingNames.uniform(name.replaceAll("\\[.*?]", ""));
    if (SettingNames.contains(wanted)) {
      return true;
    }
    // Seldom needed, and slow to read.
    return !wanted.startsWith("kvorum.")
        && ofSpring().stream()
            .anyMatch(
                known -> known.endsWith(".") ? wanted.startsWith(known) : wanted.equals(known));
  }

  /** Spring's settings; a name that ends with a dot is a map, with keys of any name. */
  private static Set<String> ofSpring() {
    Set<String> names = new HashSet<>();
    try {
      ClassLoader loader = CommandLine.class.getClassLoader();
      for (String resource : METADATA) {
        for (URL file : Collections.list(loader.getResources(resource))) {
          try (InputStream json = file.openStream()) {
            JsonNode properties = JsonMapper.shared().readTree(json).path("properties");
            names.addAll(
                properties.valueStream().map(CommandLine::name).collect(Collectors.toSet()));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return names;
  }

  private static String name(JsonNode property) {
    String name = SettingNames.uniform(property.path("name").asString(""));
    return property.path("type").asString("").startsWith("java.util.Map") ? name + '.' : name;
  }
}
