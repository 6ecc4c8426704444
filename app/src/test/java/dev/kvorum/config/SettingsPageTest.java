package dev.kvorum.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * {@code docs/settings.md} is written from the settings' records and their Javadoc: {@code mvn -pl
 * app test -Dtest=SettingsPageTest -Dsettings.write=true} writes it again.
 */
class SettingsPageTest {
  private static final Path SOURCES = Path.of("src/main/java");
  private static final Path PAGE = Path.of("../docs/settings.md");
  private static final String INTRODUCTION =
      """
      # Settings
      Every setting of a node, with its unit, default and bounds; written by `SettingsPageTest`.

      A setting is an option (`--kvorum.node.name=kvorum-0`), an environment variable in upper case with `_` for every dot
      and without dashes (`KVORUM_NODE_NAME`, `KVORUM_LIMITS_REQUESTTIMEOUT`), or, on Kubernetes, a field of
      `spec.settings` ([Kubernetes](kubernetes.md)). Durations need a unit (`500ms`, `10s`, `1m`, `7d`); sizes are in
      powers of 1024 (`256KB`, `64MB`). A node with an unknown or invalid setting does not start, and the error names the
      setting.

      | setting | default | meaning |
      |---|---|---|
      | `server.port` | 8080 | port of the HTTP API |
      | `management.server.port` | 8090 | port of health, metrics and the console |
      """;

  @Test
  void thePageListsEverySettingWithItsDefaultAndMeaning() throws IOException {
    StringBuilder page = new StringBuilder(INTRODUCTION);
    describe("kvorum", KvorumProperties.class, page);
    if (Boolean.getBoolean("settings.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).content().isEqualTo(page.toString());
  }

  private static void describe(String prefix, Class<?> group, StringBuilder page)
      throws IOException {
    String javadoc = javadoc(group);
    StringBuilder groups = new StringBuilder();
    for (Parameter setting : group.getDeclaredConstructors()[0].getParameters()) {
      String name = prefix + "." + ConfigurationPropertyName.adapt(kebab(setting.getName()), '.');
      if (setting.getType().isRecord()) {
        String title =
            text(javadoc(setting.getType()).replaceFirst("(?s)@param.*", ""))
                .replaceFirst(": ", "\n");
        groups.append("\n## ").append(title.replaceFirst("\n", " – ")).append('\n');
        groups.append("| setting | default | meaning |\n|---|---|---|\n");
        describe(name, setting.getType(), groups);
      } else {
        String[] values = setting.getAnnotation(DefaultValue.class).value();
        String value = values.length == 0 ? "" : values[0];
        page.append("| `").append(name).append("` | ");
        page.append(value.isEmpty() ? "empty" : "`" + value + "`").append(" | ");
        page.append(meaning(javadoc, setting.getName())).append(" |\n");
      }
    }
    page.append(groups);
  }

  private static String kebab(String name) {
    return name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  /** The Javadoc of a record, without its asterisks. */
  private static String javadoc(Class<?> type) throws IOException {
    Class<?> file = type.getNestHost();
    String source = Files.readString(SOURCES.resolve(file.getName().replace('.', '/') + ".java"));
    Matcher record =
        Pattern.compile(
                "/\\*\\*((?:(?!\\*/).)*)\\*/\\s*(?:@\\w+\\([^)]*\\)\\s*)?public record "
                    + type.getSimpleName()
                    + "\\(",
                Pattern.DOTALL)
            .matcher(source);
    assertThat(record.find()).as("Javadoc of %s", type).isTrue();
    return record.group(1).replaceAll("(?m)^\\s*\\* ?", "");
  }

  private static String meaning(String javadoc, String setting) {
    Matcher described =
        Pattern.compile("@param " + setting + "\\s((?:(?!@param).)*)", Pattern.DOTALL)
            .matcher(javadoc);
    assertThat(described.find()).as("@param %s", setting).isTrue();
    return text(described.group(1));
  }

  private static String text(String javadoc) {
    return Pattern.compile("\\{@(code|link) ([^}]*)}")
        .matcher(javadoc.strip().replaceAll("\\s+", " "))
        .replaceAll(tag -> Matcher.quoteReplacement("`" + plain(tag) + "`"))
        .replace("|", "\\|")
        .replaceFirst("\\.$", "");
  }

  private static String plain(MatchResult tag) {
    String name = tag.group(2);
    // Components of the record are settings of the same group.
    return tag.group(1).equals("code")
        ? name.matches("[a-z]+[A-Z]\\w*") ? kebab(name) : name
        : name.replaceFirst("^.*[#.]", "");
  }
}
