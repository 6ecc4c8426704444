package dev.kvorum.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.http.problem.BadRequestException;
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
  @ValueSource(strings = {"application/json", "text/plain; charset=\"utf-8\"", "x"})
  void isKeptAsItIs(String type) throws BadRequestException {
    assertThat(MediaType.of(headers(" " + type))).isEqualTo(type);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "application/octet-stream", "application/X-www-form-urlencoded"})
  void oneThatSaysNothingIsNotKept(String type) throws BadRequestException {
    assertThat(MediaType.of(headers(type))).isEmpty();
    assertThat(MediaType.of(DefaultHttpHeadersFactory.headersFactory().newHeaders())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/\u00e4", "a\rb", "a\u0000", "\u007f"})
  void oneThatNoResponseCouldHaveIsRejected(String type) {
    assertThatThrownBy(() -> MediaType.of(headers(type)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("printable ASCII");
  }

  @Test
  void oneThatIsTooLongIsRejected() throws BadRequestException {
    assertThat(MediaType.of(headers("x".repeat(127)))).hasSize(127);
    assertThatThrownBy(() -> MediaType.of(headers("x".repeat(128))))
        .hasMessageContaining("Content-Type has 128 characters; it may have 127");
  }
}
