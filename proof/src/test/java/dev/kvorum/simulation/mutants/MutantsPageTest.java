package dev.kvorum.simulation.mutants;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.simulation.mutants.Patch.Edit;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/proof/mutants.md} is written from the mutants and the seeds that catch them. */
class MutantsPageTest {
  private static final Path SOURCES = Path.of("src/test/java");
  private static final Path PAGE = Path.of("../docs/proof/mutants.md");
  private static final String COMMAND =
      "mvn -pl proof -am test -Dtest=MutantsPageTest -Dmutants.write=true"
          + " -Dsurefire.failIfNoSpecifiedTests=false";
  private static final String INTRODUCTION =
      """
      # Mutants
      Find what [the proof](../proof.md#mutants) breaks on purpose, and what catches it.

      `Type.method=x`: the method only returns x, or does nothing (`void`). `Type.method/call=x`: a call in the method
      returns x, does nothing (`void`), or x is called instead. `Breakage.method` replaces a component. Each seed is of a
      simulated run, each test the one that fails.
      """;

  /** What a mutant does beside breaking something. */
  private static final Set<String> ABOUT_ITSELF = Set.of("canShowIn", "patches");

  @Test
  void thePageListsEveryMutantWithWhatItBreaksAndWhatCatchesIt() throws IOException {
    String page = INTRODUCTION + String.join("", tables());
    if (Boolean.getBoolean("mutants.write")) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE).as("written again by %s", COMMAND).content().isEqualTo(page);
  }

  private static List<String> tables() throws IOException {
    CatchingSeeds seeds = CatchingSeeds.read();
    List<String> tables = new ArrayList<>();
    Class<?> last = null;
    for (Defect mutant : Hunts.mutants()) {
      Enum<?> constant = (Enum<?>) mutant;
      if (constant.getDeclaringClass() != last) {
        last = constant.getDeclaringClass();
        tables.add(head(last, "seed"));
      }
      OptionalLong seed = seeds.of(mutant);
      tables.add(
          row(constant, broken(mutant), seed.isPresent() ? Long.toString(seed.getAsLong()) : ""));
    }
    tables.add(head(UnitMutant.class, "test"));
    for (UnitMutant mutant : UnitMutant.values()) {
      tables.add(row(mutant, mutant.rule()));
    }
    tables.add(head(OperatorUnitMutant.class, "test"));
    for (OperatorUnitMutant mutant : OperatorUnitMutant.values()) {
      tables.add(row(mutant, mutant.rule()));
    }
    return tables;
  }

  /**
   * A heading with what the Javadoc says of the enum, and the table's.
   *
   * @param catching what catches its mutants
   */
  private static String head(Class<?> mutants, String catching) throws IOException {
    String source =
        Files.readString(SOURCES.resolve(mutants.getName().replace('.', '/') + ".java"));
    Matcher javadoc =
        Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s*enum ", Pattern.DOTALL).matcher(source);
    assertThat(javadoc.find()).as("Javadoc of %s", mutants).isTrue();
    String meaning =
        javadoc
            .group(1)
            .replaceAll("(?m)^\\s*\\* ?", "")
            .strip()
            .replaceAll("\\s+", " ")
            .replaceAll("\\{@\\w+ ([^}]*)}", "`$1`")
            .replaceFirst("(, broken one by one)?\\.( .*)?$", "")
            .replaceFirst("^Rules of ", "");
    return "\n## %s: %s\n|mutant|breaks|%s|\n|---|---|---|\n"
        .formatted(mutants.getSimpleName(), meaning, catching);
  }

  private static String row(Enum<?> mutant, BrokenRule rule) {
    String test = rule.test().substring(rule.test().lastIndexOf('.') + 1);
    return row(mutant, changes(rule.patches()), "`" + test + "." + rule.method() + "`");
  }

  /** Without spaces, which a table needs nowhere: the page has hundreds of cells. */
  private static String row(Enum<?> mutant, Stream<String> broken, String caught) {
    return "|`%s`|%s|%s|\n"
        .formatted(
            mutant.name(),
            broken.distinct().map(each -> "`" + each + "`").collect(joining("<br>")),
            caught);
  }

  private static Stream<String> broken(Defect mutant) {
    Stream<String> replaced =
        mutant.getClass().isEnum()
            ? Stream.empty()
            : Stream.of(mutant.getClass().getDeclaredMethods())
                .filter(method -> !method.isSynthetic() && !ABOUT_ITSELF.contains(method.getName()))
                .map(Method::getName)
                .sorted()
                .map(name -> "Breakage." + name);
    return Stream.concat(replaced, changes(mutant.patches()));
  }

  private static Stream<String> changes(List<Patch> patches) {
    return patches.stream().map(MutantsPageTest::change);
  }

  private static String change(Patch patch) {
    String method =
        patch.type().substring(patch.type().lastIndexOf('.') + 1) + "." + patch.method();
    return switch (patch.edit()) {
      case Edit.Returning(Object constant) -> method + "=" + text(constant);
      case Edit.Answering(String called, Object constant) ->
          method + "/" + called + "=" + text(constant);
      case Edit.Redirecting(String called, Class<?> to, String name) ->
          method + "/" + called + "=" + to.getSimpleName() + "." + name;
    };
  }

  private static String text(Object constant) {
    return constant.equals(Long.MAX_VALUE) ? "MAX_VALUE" : constant.toString();
  }
}
