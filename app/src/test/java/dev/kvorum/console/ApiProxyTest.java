package dev.kvorum.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.result.view.ViewResolver;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class ApiProxyTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int ENOUGH = 8;

  private final Sinks.One<String> node = Sinks.one();
  private final AtomicInteger asked = new AtomicInteger();
  private final ApiProxy proxy =
      new ApiProxy(
          WebClient.builder()
              .exchangeFunction(request -> {
                asked.incrementAndGet();
                return node.asMono().map(ApiProxyTest::answer);
              })
              .build(),
          () -> "http://localhost:8080");

  private static ClientResponse answer(String value) {
    return ClientResponse.create(HttpStatus.OK)
        .header("Content-Type", type(value))
        .body(value)
        .build();
  }

  /** A value that begins with a tag has a type of its own. */
  private static String type(String value) {
    return value.startsWith("<") ? "text/html" : "application/json";
  }

  @ParameterizedTest
  @CsvSource({"<b>,application/octet-stream,text/html", "{},application/json,application/json"})
  void aValueIsNoPageOfTheConsole(String value, String type, String own) {
    node.tryEmitValue(value);
    HttpHeaders headers = Objects.requireNonNull(handle(exchange()).block(TIMEOUT)).headers();
    assertThat(headers.getFirst("Content-Type")).isEqualTo(type);
    assertThat(headers.getFirst("kvorum-value-type")).isEqualTo(own);
    assertThat(headers.getFirst("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(headers.getFirst("Content-Security-Policy")).isEqualTo("sandbox");
  }

  private static MockServerWebExchange exchange() {
    return MockServerWebExchange.from(
        MockServerHttpRequest.method(HttpMethod.GET, "/console/entity?id=k"));
  }

  private Mono<ServerResponse> handle(MockServerWebExchange exchange) {
    return proxy.handle(
        ServerRequest.create(exchange, HandlerStrategies.withDefaults().messageReaders()));
  }

  private int status() {
    return Objects.requireNonNull(handle(exchange()).block(TIMEOUT)).statusCode().value();
  }

  @Test
  void handsOnAFewAtATimeUntilTheyAreWrittenOrGivenUp() {
    List<MockServerWebExchange> exchanges =
        IntStream.range(0, ENOUGH).mapToObj(i -> exchange()).toList();
    List<Mono<ServerResponse>> answers =
        exchanges.stream().map(exchange -> handle(exchange).cache()).toList();
    List<Disposable> waiting = answers.stream().map(Mono::subscribe).toList();
    assertThat(status()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE.value());
    assertThat(asked).hasValue(ENOUGH);

    node.tryEmitValue("v");
    ServerResponse first = Objects.requireNonNull(answers.getFirst().block(TIMEOUT));
    assertThat(first.statusCode().value()).isEqualTo(HttpStatus.OK.value());
    assertThat(status()).as("answered and not written").isEqualTo(503);

    first.writeTo(exchanges.getFirst(), CONTEXT).block(TIMEOUT);
    assertThat(status()).isEqualTo(HttpStatus.OK.value());
    assertThat(waiting).hasSize(ENOUGH);
  }

  private static final ServerResponse.Context CONTEXT =
      new ServerResponse.Context() {
        @Override
        public List<HttpMessageWriter<?>> messageWriters() {
          return HandlerStrategies.withDefaults().messageWriters();
        }

        @Override
        public List<ViewResolver> viewResolvers() {
          return List.of();
        }
      };
}
