package dev.kvorum.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.topology.Feature;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopologyMapperTest {
  private static Map<?, ?> spec(List<String> features) {
    return Map.of(
        "clusterId",
        "c-1",
        "epoch",
        4,
        "phase",
        "Stable",
        "members",
        List.of(Map.of("name", "kvorum-0", "state", "Active")),
        "features",
        features);
  }

  @Test
  void featuresAreReadByName() {
    assertThat(TopologyMapper.read(spec(List.of())).features()).isEmpty();
    assertThat(TopologyMapper.read(spec(List.of("content-type"))).features())
        .containsExactly(Feature.CONTENT_TYPE);
  }

  @Test
  void aFeatureOfALaterReleaseIsRejected() {
    assertThatThrownBy(() -> TopologyMapper.read(spec(List.of("content-type", "time-travel"))))
        .hasMessageContaining("lacks the feature time-travel,");
  }
}
