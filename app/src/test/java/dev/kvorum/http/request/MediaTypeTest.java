package dev.kvorum.http.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MediaTypeTest {
  private static HttpHeaders headers(String type) {
    return DefaultHttpHeadersFactory.headersFactory()
        .withValidation(false)
        .newHeaders()
        .add(HttpHeaderNames.CONTENT_TYPE, type);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/vnd.example+json;version=1",
        "text/plain; charset=\"utf-8\"",
        "text/plain ;a=b; c=\"d;\\\"e\""
      })
  void isKeptAsItIs(String type) {
    assertThat(MediaType.of(headers(" " + type))).isEqualTo(type);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "application/octet-stream", "application/X-www-form-urlencoded"})
  void aSilentOneIsNotKept(String type) {
    assertThat(MediaType.of(headers(type))).isEmpty();
    assertThat(MediaType.of(DefaultHttpHeadersFactory.headersFactory().newHeaders())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "text/",
        "/html",
        "text/\u00e4",
        "text/a\rb",
        "text/a; b",
        "text/a; b=\"c",
        "a/b c"
      })
  void whatIsNoMediaTypeIsNotKept(String type) {
    assertThat(MediaType.of(headers(type))).isEmpty();
  }

  @Test
  void oneThatIsTooLongIsNotKept() {
    assertThat(MediaType.of(headers("a/" + "x".repeat(125)))).hasSize(127);
    assertThat(MediaType.of(headers("a/" + "x".repeat(126)))).isEmpty();
  }
}
