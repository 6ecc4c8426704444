package dev.kvorum.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of all modules take what is random from a seed, so that a failure can be replayed. */
class SeededTestsTest {
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "app/src/test/java/dev/kvorum/seeds/Seeds.java", "chooses the seeds",
          "proof/src/test/java/dev/kvorum/blackbox/Ports.java", "processes must not choose alike");

  /** Strings and comments name what they do not use. */
  private static final Pattern NOT_CODE =
      Pattern.compile(
          "\"\"\"(?s:.*?)\"\"\"|\"[^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+\""
              + "|'(?:[^'\\\\\\n]|\\\\[^\\n][^'\\n]*+)'|//[^\\n]*+|/\\*(?s:.*?)\\*/");

  private static final String CLOCK =
      "(?:System\\s*\\.\\s*(?:nanoTime|currentTimeMillis)|Instant\\s*\\.\\s*now)\\b";

  /** Generators that seed themselves, and clocks that become a seed. */
  private static final Pattern UNSEEDED =
      Pattern.compile(
          String.join(
              "|",
              "\\bnew\\s+(?:[\\w.]+\\.)?(?:Splittable)?Random\\s*\\(\\s*\\)",
              "\\b(?:Splittable)?Random\\s*::\\s*new\\b",
              "\\bSecureRandom\\b",
              "\\bThreadLocalRandom\\b",
              "\\bMath\\s*(?:\\.|::)\\s*random\\b",
              "\\bRandomGenerator\\s*(?:\\.|::)\\s*(?:getDefault|of)\\b",
              "\\bRandomGeneratorFactory\\b[^;]*\\.\\s*create\\s*\\(\\s*\\)",
              "\\brandomUUID\\b",
              "\\bMethodOrderer\\s*\\.\\s*Random\\b",
              "(?i:\\b\\w*seed\\w*)\\s*=[^;=]*\\b" + CLOCK,
              "\\b(?:Random|getLong|create)\\s*\\([^;)]*\\b" + CLOCK));

  private static final Pattern SHUFFLE = Pattern.compile("(?:\\bshuffle\\s*\\(|::\\s*shuffle\\b)");

  private static List<String> unseeded(String source) {
    String code = NOT_CODE.matcher(source).replaceAll("\"\"");
    Stream<MatchResult> generators = UNSEEDED.matcher(code).results();
    Stream<MatchResult> shuffles =
        SHUFFLE.matcher(code).results().filter(call -> !hasTwoArguments(code, call));
    return Stream.concat(generators, shuffles).map(MatchResult::group).toList();
  }

  /** Whether a comma comes before the parenthesis that closes the call. */
  private static boolean hasTwoArguments(String code, MatchResult call) {
    int depth = call.group().endsWith("(") ? 1 : 0;
    for (int i = call.end(); depth > 0; i++) {
      char c = code.charAt(i);
      if (c == ',' && depth == 1) {
        return true;
      }
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    return false;
  }

  @Test
  void noTestIsRandomWithoutASeed() throws IOException {
    Map<String, List<String>> found = new TreeMap<>();
    for (String module : Modules.with("src/test/java")) {
      try (Stream<Path> files = Files.walk(Modules.ROOT.resolve(module).resolve("src/test/java"))) {
        List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
        assertThat(sources).as(module).isNotEmpty();
        for (Path source : sources) {
          List<String> unseeded = unseeded(Files.readString(source));
          if (!unseeded.isEmpty()) {
            found.put(Modules.ROOT.relativize(source).toString().replace('\\', '/'), unseeded);
          }
        }
      }
    }
    assertThat(found.keySet())
        .as("exceptions that are still needed")
        .containsAll(EXCEPTIONS.keySet());
    found.keySet().removeAll(EXCEPTIONS.keySet());
    assertThat(found).as("not from Seeds.seed() or Seeds.random()").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Random random = new Random();",
        "Random random = new java.util.Random( );",
        "var random = new SplittableRandom();",
        "Supplier<Random> random = Random::new;",
        "Random random = new SecureRandom();",
        "byte[] some = SecureRandom.getSeed(4);",
        "int some = ThreadLocalRandom.current().nextInt();",
        "double some = Math.random();",
        "DoubleSupplier some = Math::random;",
        "RandomGenerator random = RandomGenerator.getDefault();",
        "RandomGenerator random = RandomGenerator.of(\"L64X128MixRandom\");",
        "var random = RandomGeneratorFactory.of(\"L64X128MixRandom\").create();",
        "String key = \"k-\" + UUID.randomUUID();",
        "Supplier<UUID> key = UUID::randomUUID;",
        "Collections.shuffle(list);",
        "Collections.shuffle(List.of(1, 2));",
        "lists.forEach(Collections::shuffle);",
        "long seed = System.nanoTime();",
        "long firstSeed = System.nanoTime() >>> 20;",
        "private final long seed = Long.getLong(\"kvorum.seed\", System.nanoTime());",
        "long first = Long.getLong(\"first\", System.currentTimeMillis());",
        "Random random = new Random(System.nanoTime());",
        "@TestMethodOrder(MethodOrderer.Random.class)",
      })
  void findsWhatIsNotSeeded(String source) {
    assertThat(unseeded(source)).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Random random = Seeds.random();",
        "Random random = new Random(seed);",
        "Random random = new Random(1);",
        "var random = RandomGeneratorFactory.of(\"L64X128MixRandom\").create(seed);",
        "Collections.shuffle(list, random);",
        "Collections.shuffle(copy(list), new Random(seed + rounds));",
        "long begun = System.nanoTime();",
        "run(seed, System.nanoTime());",
        "assertThat(text).isEqualTo(\"new Random()\");",
        "char quote = '\"'; // new Random()",
        "/* new Random() */",
      })
  void acceptsWhatIsSeededAndWhatIsNotCode(String source) {
    assertThat(unseeded(source)).isEmpty();
  }
}
