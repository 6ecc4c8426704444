package dev.kvorum.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ActiveFeaturesTest {
  private static final Set<Feature> TYPES = Set.of(Feature.CONTENT_TYPE);

  @Test
  void aFeatureIsOnDiskAndAnnouncedBeforeItIsUsed() {
    List<String> steps = new ArrayList<>();
    ActiveFeatures[] features = new ActiveFeatures[1];
    features[0] =
        new ActiveFeatures(
            Set.of(), all -> steps.add("file " + all + features[0].contains(Feature.CONTENT_TYPE)));
    features[0].beforeUse(
        all -> steps.add("use " + all + features[0].contains(Feature.CONTENT_TYPE)));

    assertThat(features[0].activate(Set.of())).isFalse();
    assertThat(features[0].activate(TYPES)).isTrue();
    assertThat(features[0].activate(TYPES)).isFalse();
    assertThat(features[0].activate(Set.of())).isFalse();

    assertThat(steps).containsExactly("file [CONTENT_TYPE]false", "use [CONTENT_TYPE]false");
    assertThat(features[0].get()).isEqualTo(TYPES);
  }

  @Test
  void aFeatureThatCannotBeStoredIsNotUsed() {
    ActiveFeatures features =
        new ActiveFeatures(
            Set.of(),
            all -> {
              throw new UncheckedIOException(new IOException("disk full"));
            });
    assertThatThrownBy(() -> features.activate(TYPES)).hasMessageContaining("disk full");
    assertThat(features.contains(Feature.CONTENT_TYPE)).isFalse();
  }
}
