package dev.kvorum.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.RejectReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Names consist of words that {@code docs/glossary.md} explains, and the page names what exists.
 */
class GlossaryTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Path NODE = Path.of("src/main/java");
  private static final List<Path> SOURCES =
      List.of(
          NODE,
          Path.of("../placement").resolve(NODE),
          Path.of("../operator-plan").resolve(NODE),
          Path.of("../operator").resolve(NODE));
  private static final Pattern SETTINGS = Pattern.compile("\\w+(Properties|Settings)\\.java");
  private static final String PLAIN = "\n## Plain words used in names\n";
  private static final String AVOIDED = "\n## Words that are not used\n";

  private static final Pattern TERM =
      Pattern.compile("(?m)^\\| ([^|]+) \\| [^|]+ \\| ([^|]+) \\| ([^|]*)\\|$");
  private static final Pattern AVOIDED_ROW =
      Pattern.compile("(?m)^\\| ([a-z, ]+) \\| [a-z,; ]+ \\|$");
  private static final Pattern CAPITALIZED = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");
  private static final Path ALERTS = Path.of("../helm/kvorum/files/alerts");
  private static final Path DASHBOARDS = Path.of("../grafana/source");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern METRIC =
      Pattern.compile("(?m)^\\| `(kvorum_\\w+)` \\| (?:counter|gauge|histogram|summary) \\|");
  private static final Pattern PROBLEM_TYPE = Pattern.compile("urn:kvorum:problem:([a-z-]+)");
  private static final Pattern PROBLEM_ROW =
      Pattern.compile("(?m)^\\| [45]\\d\\d[^|]*\\| ((?:`[a-z-]+`(?:, )?)+) \\|");

  /** A row of the page: the words of a term and its forms, its classes, the names that use it. */
  private record Term(List<String> words, List<String> classes, List<String> names) {}

  private static String page(String name) throws IOException {
    return Files.readString(DOCS.resolve(name));
  }

  private static List<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(1)).toList();
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.toLowerCase(Locale.ROOT).split("[^a-z0-9]+", -1))
        .filter(word -> !word.isEmpty())
        .toList();
  }

  private static List<Term> terms() throws IOException {
    List<Term> terms = new ArrayList<>();
    for (MatchResult row : TERM.matcher(page("glossary.md")).results().toList()) {
      if (!row.group(1).equals("term") && !row.group(1).startsWith("---")) {
        terms.add(
            new Term(words(row.group(1)), found(CODE, row.group(2)), found(CODE, row.group(3))));
      }
    }
    assertThat(terms).hasSizeGreaterThan(50);
    return terms;
  }

  private static Set<String> known() throws IOException {
    String page = page("glossary.md");
    Set<String> known = new TreeSet<>(words(page.substring(page.indexOf(PLAIN) + PLAIN.length())));
    terms().forEach(term -> known.addAll(term.words()));
    return known;
  }

  private static Set<String> unknownWords(List<String> names) throws IOException {
    Set<String> known = known();
    return names.stream()
        .flatMap(name ->
            words(name).stream()
                .filter(word -> !known.contains(word))
                .map(word -> name + ": " + word))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void metricsConsistOfKnownWords() throws IOException {
    List<String> metrics = found(METRIC, page("metrics.md"));

    assertThat(metrics).hasSizeGreaterThan(100);
    assertThat(unknownWords(metrics)).isEmpty();
  }

  @Test
  void rejectReasonsConsistOfKnownWords() throws IOException {
    List<String> reasons = Arrays.stream(RejectReason.values()).map(RejectReason::label).toList();

    assertThat(unknownWords(reasons)).isEmpty();
  }

  @Test
  void problemTypesConsistOfKnownWords() throws IOException {
    List<String> explained =
        found(PROBLEM_ROW, page("http-api.md")).stream()
            .flatMap(cell -> found(CODE, cell).stream())
            .toList();
    List<String> types = found(PROBLEM_TYPE, page("openapi.yaml"));

    assertThat(explained).hasSizeGreaterThan(20);
    assertThat(types).hasSizeGreaterThan(20);
    assertThat(unknownWords(explained)).isEmpty();
    assertThat(unknownWords(types)).isEmpty();
  }

  @Test
  void aWordThatThePageDoesNotHaveIsFound() throws IOException {
    assertThat(unknownWords(List.of("kvorum_hints_kept_total", "kvorum_hints_squirrelled_total")))
        .containsExactly("kvorum_hints_squirrelled_total: squirrelled");
  }

  @Test
  void termsNameClassesThatExist() throws IOException {
    Set<String> classes = classes();
    for (Term term : terms()) {
      assertThat(term.classes()).as("classes of %s", term.words()).isNotEmpty();
      assertThat(classes).as("classes of %s", term.words()).containsAll(term.classes());
    }
  }

  private static Set<String> classes() throws IOException {
    Set<String> classes = new TreeSet<>();
    for (Path root : SOURCES) {
      try (Stream<Path> files = Files.walk(root)) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".java"))
            .forEach(name -> classes.add(name.replace(".java", "")));
      }
    }
    return classes;
  }

  @Test
  void namesOfClassesHaveNoAvoidedWord() throws IOException {
    Set<String> avoided = avoided();
    assertThat(words(split("OrderRefused"))).containsAnyElementsOf(avoided);

    assertThat(classes())
        .hasSizeGreaterThan(500)
        .allSatisfy(name -> assertThat(words(split(name))).doesNotContainAnyElementsOf(avoided));
  }

  private static String split(String className) {
    return CAPITALIZED.matcher(className).replaceAll(" ");
  }

  @Test
  void alertsAndDashboardsHaveNoAvoidedWord() throws IOException {
    Set<String> avoided = avoided();
    for (Path directory : List.of(ALERTS, DASHBOARDS)) {
      try (Stream<Path> files = Files.list(directory)) {
        assertThat(files.toList())
            .isNotEmpty()
            .allSatisfy(file ->
                assertThat(words(Files.readString(file))).doesNotContainAnyElementsOf(avoided));
      }
    }
  }

  /** The words that the page replaces by others. */
  private static Set<String> avoided() throws IOException {
    String page = page("glossary.md");
    Set<String> avoided = new TreeSet<>();
    found(AVOIDED_ROW, page.substring(page.indexOf(AVOIDED), page.indexOf(PLAIN)))
        .forEach(cell -> avoided.addAll(words(cell)));
    avoided.remove("not");
    assertThat(avoided).hasSizeGreaterThan(10);
    return avoided;
  }

  @Test
  void termsNameMetricsAndSettingsThatExist() throws IOException {
    List<String> metrics = found(METRIC, page("metrics.md"));
    Set<String> components = new TreeSet<>();
    try (Stream<Path> files = Files.walk(NODE)) {
      for (Path file : files.filter(GlossaryTest::declaresSettings).toList()) {
        components.addAll(found(Pattern.compile("(\\w+)[,)]"), Files.readString(file)));
      }
    }
    for (Term term : terms()) {
      for (String name : term.names()) {
        if (name.startsWith("kvorum_")) {
          assertThat(metrics).contains(name);
        } else {
          assertThat(name).startsWith("kvorum.");
          assertThat(components).as(name).contains(component(name));
        }
      }
    }
  }

  private static boolean declaresSettings(Path file) {
    return SETTINGS.matcher(file.getFileName().toString()).matches();
  }

  /** The record component that a setting is bound to. */
  private static String component(String setting) {
    return Pattern.compile("-([a-z])")
        .matcher(setting.substring(setting.lastIndexOf('.') + 1))
        .replaceAll(match -> match.group(1).toUpperCase(Locale.ROOT));
  }
}
