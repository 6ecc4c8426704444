package dev.kvorum.operator.loadtest.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.loadtest.LoadTests;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResultReaderTest {
  @Test
  void aResultIsReadWithAllItsParts() {
    ResultReader.Measured read = ResultReader.read(LoadTests.message(2000)).orElseThrow();
    assertThat(read.offered()).isEqualTo(2000);
    assertThat(read.achieved()).isEqualTo(1999.5);
    assertThat(read.seconds()).isEqualTo(30.5);
    assertThat(read.requests()).isEqualTo(60_000);
    assertThat(read.notFound()).isEqualTo(7);
    assertThat(read.latencyMicros()).containsEntry("99.9", 999_999.0).doesNotContainKey("stdev");
    assertThat(read.errors().status()).isEqualTo(Map.of("503", 3L, "504", 1L));
    assertThat(read.errors().total()).isEqualTo(7);
    assertThat(read.spectrum()).contains(List.of(50.0, 1234.0)).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "7",
        "unable to connect to kvorum:8080 Connection refused",
        "{\"format\":2,\"offered\":1,\"achieved\":1,\"seconds\":1,\"requests\":1,\"latencyMicros\":{},"
            + "\"errors\":{\"status\":{}}}",
        "{\"format\":1,\"offered\":1,\"achieved\":1,\"seconds\":1,\"requests\":1,\"latencyMicros\":{}}",
        "{\"format\":1,\"offered\":1,\"achieved\":1,\"seco"
      })
  void whatIsNoResultIsNone(String message) {
    assertThat(ResultReader.read(message)).isEmpty();
  }

  @Test
  void aSpectrumLargerThanAScriptWritesIsRejected() {
    String points = "[1,1],".repeat(64) + "[100,1]]}";
    String message = LoadTests.message(1);
    assertThat(ResultReader.read(message.substring(0, message.indexOf("[[")) + "[" + points))
        .isEmpty();
  }
}
