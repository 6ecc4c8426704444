package dev.kvorum.operator.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page on Kubernetes explains all reasons of conditions. */
class ReasonsTest {
  private static final Path PAGE = Path.of("../docs/kubernetes.md");

  static Stream<String> labels() {
    return Stream.of(
            labels(Reason.values(), Reason::label),
            labels(LoadReason.values(), LoadReason::label),
            labels(BackupReason.values(), BackupReason::label),
            labels(ScheduleReason.values(), ScheduleReason::label),
            labels(UserReason.values(), UserReason::label))
        .flatMap(each -> each)
        .distinct();
  }

  private static <E> Stream<String> labels(E[] reasons, Function<E, String> label) {
    return Arrays.stream(reasons).map(label);
  }

  @ParameterizedTest
  @MethodSource("labels")
  void isDocumented(String label) throws IOException {
    assertThat(Files.readString(PAGE)).contains("`" + label + "`");
  }
}
