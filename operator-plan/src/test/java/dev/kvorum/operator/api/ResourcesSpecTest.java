package dev.kvorum.operator.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What cannot be read keeps the operator from every cluster, not from this one alone. */
class ResourcesSpecTest {
  @ParameterizedTest
  @CsvSource({
    "1073741824, 1073741824",
    "4294967296, 4294967296",
    "0.5, 0.5",
    "\"768MB\", 768MB",
    "\"\", ''"
  })
  void readsWhatTheApiMayHold(String typed, String text) {
    ResourcesSpec spec =
        Serialization.unmarshal("{\"limits\":{\"memory\":" + typed + "}}", ResourcesSpec.class);
    assertThat(spec.limits().values()).extracting(Quantities::text).containsExactly(text);
  }
}
