package dev.kvorum.backup.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RestorationTest {
  @Test
  void nodesRestoreTheSourceOfTheirNameAndAnEqualShareOfTheOthers() {
    assertThat(Restoration.assigned(List.of("a", "b", "c"), List.of("c", "a", "b")))
        .isEqualTo(Map.of("a", List.of("a"), "b", List.of("b"), "c", List.of("c")));
    assertThat(Restoration.assigned(List.of("a", "b", "c", "d", "e"), List.of("b", "x")))
        .isEqualTo(Map.of("b", List.of("b", "c", "e"), "x", List.of("a", "d")));
    assertThat(Restoration.assigned(List.of("a"), List.of("y", "a", "x")))
        .isEqualTo(Map.of("a", List.of("a"), "x", List.of(), "y", List.of()));
  }
}
