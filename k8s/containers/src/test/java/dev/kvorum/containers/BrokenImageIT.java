package dev.kvorum.containers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the tests: each image that is broken on purpose must fail them and name the cause. */
@ContainerTest
class BrokenImageIT {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "wrong-entry-point | ENTRYPOINT [\"/opt/kvorum/nothing\"] | /opt/kvorum/nothing",
        "no-native-library | RUN rm -r /opt/kvorum/native | native library cannot be loaded",
        "only-roots-data | RUN chown root:root /data && chmod 0700 /data | access to /data was denied",
        "unreadable-jar | RUN chmod 0600 /opt/kvorum/kvorum-app.jar | Unable to access jarfile"
      })
  void failsAndNamesTheCause(String name, String step, String cause) {
    String image = Images.changed(name, step);
    assertThatThrownBy(() -> ContainerCluster.of(1, image, 1, node -> {}).close())
        .hasStackTraceContaining(cause);
  }
}
