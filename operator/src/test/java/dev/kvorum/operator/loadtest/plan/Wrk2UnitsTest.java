package dev.kvorum.operator.loadtest.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Numbers are shown as wrk2 itself shows them; what it shows was written down by its arithmetic.
 */
class Wrk2UnitsTest {
  private static List<String[]> lines(String file) throws IOException {
    return Files.readAllLines(Path.of("src/test/resources/loadtest", file)).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(" ", -1))
        .toList();
  }

  @Test
  void latenciesAreThoseOfTheConsoleToTheLastDigit() throws IOException {
    List<String[]> lines = lines("times.txt");
    assertThat(lines).hasSizeGreaterThan(400);
    for (String[] line : lines) {
      assertThat(Wrk2Units.time(Double.parseDouble(line[0])))
          .as(line[0] + " µs")
          .isEqualTo(line[1]);
    }
  }

  @Test
  void ratesAreThoseOfTheConsoleToTheLastDigit() throws IOException {
    List<String[]> lines = lines("rates.txt");
    assertThat(lines).hasSizeGreaterThan(200);
    for (String[] line : lines) {
      assertThat(Wrk2Units.perSecond(Long.parseLong(line[0]), Double.parseDouble(line[1])))
          .as("%s in %s s", line[0], line[1])
          .isEqualTo(line[2]);
    }
  }

  @Test
  void whereNothingWasAnsweredThereIsADash() {
    assertThat(Wrk2Units.time(Double.NaN)).isEqualTo("-");
    assertThat(Wrk2Units.perSecond(0, 0)).isEqualTo("-");
    assertThat(Wrk2Units.perSecond(0, 60)).isEqualTo("0.00");
  }
}
