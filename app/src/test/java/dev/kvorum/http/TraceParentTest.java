package dev.kvorum.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceParentTest {
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String SPAN = "b7ad6b7169203331";

  @Test
  void readsTheIdOfTheTrace() {
    assertThat(TraceParent.traceId("00-" + TRACE + "-" + SPAN + "-01")).isEqualTo(TRACE);
  }

  @Test
  void readsLaterVersionsAsFarAsItKnowsThem() {
    assertThat(TraceParent.traceId("cc-" + TRACE + "-" + SPAN + "-01-more")).isEqualTo(TRACE);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more"
      })
  void passesOverWhatTheStandardDoesNotAllow(String header) {
    assertThat(TraceParent.traceId(header)).isNull();
  }
}
