package dev.kvorum.operator.loadtest.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
  void asNumbersTheyHaveTheSameDigits() throws IOException {
    for (String[] line : lines("times.txt")) {
      String text = line[1];
      int unit = text.length() - (text.endsWith("us") || text.endsWith("ms") ? 2 : 1);
      double scale =
          switch (text.substring(unit)) {
            case "us" -> 1e6;
            case "ms" -> 1e3;
            case "s" -> 1;
            default -> 1 / 60.0;
          };
      assertThat(Wrk2Units.seconds(Double.parseDouble(line[0])) * scale)
          .as(text)
          .isCloseTo(Double.parseDouble(text.substring(0, unit)), within(1e-9));
    }
    for (String[] line : lines("rates.txt")) {
      assertThat(Wrk2Units.rate(Long.parseLong(line[0]), Double.parseDouble(line[1])))
          .isEqualTo(Double.parseDouble(line[2]));
    }
  }

  @Test
  void whereNothingWasAnsweredThereIsADash() {
    assertThat(Wrk2Units.time(Double.NaN)).isEqualTo("-");
    assertThat(Wrk2Units.seconds(Double.NaN)).isNaN();
    assertThat(Wrk2Units.perSecond(0, 0)).isEqualTo("-");
    assertThat(Wrk2Units.rate(0, 0)).isNaN();
    assertThat(Wrk2Units.perSecond(0, 60)).isEqualTo("0.00");
  }
}
