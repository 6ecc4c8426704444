package dev.kvorum.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.chaos.history.Violation;
import dev.kvorum.chaos.history.Violation.Rule;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The comparison of what nodes hold. */
class OwnRecordsTest {
  private static final Map<String, String> BOTH = Map.of("a", "1 x", "b", "2 y");

  @Test
  void readsALineForEachRecord() {
    assertThat(
            OwnRecords.parse(
                """
                {"key":"a","value":"eA==","version":"01"}
                {"key":"b","value":"","version":"02"}
                """))
        .containsExactlyInAnyOrderEntriesOf(Map.of("a", "01 eA==", "b", "02 "));
    assertThat(OwnRecords.parse("")).isEmpty();
  }

  @Test
  void acceptsEqualCopiesWhereverTheyAre() {
    assertThat(OwnRecords.differences(List.of(BOTH, BOTH, BOTH), 3)).isEmpty();
    assertThat(OwnRecords.differences(List.of(BOTH, Map.of(), BOTH), 2)).isEmpty();
    assertThat(OwnRecords.differences(List.of(Map.of(), Map.of()), 2)).isEmpty();
  }

  @Test
  void noticesCopiesThatDifferAreMissingOrTooMany() {
    Map<String, String> older = Map.of("a", "0 x", "b", "2 y");
    Map<String, String> fewer = Map.of("b", "2 y");
    assertDiffers("a", OwnRecords.differences(List.of(BOTH, older, BOTH), 3));
    assertDiffers("a", OwnRecords.differences(List.of(BOTH, fewer, BOTH), 3));
    assertDiffers("b", OwnRecords.differences(List.of(BOTH, fewer, BOTH), 2));
  }

  private static void assertDiffers(String key, List<Violation> found) {
    assertThat(found).extracting(Violation::rule).containsExactly(Rule.COPIES_DIFFER);
    assertThat(found).extracting(Violation::key).containsExactly(key);
  }
}
