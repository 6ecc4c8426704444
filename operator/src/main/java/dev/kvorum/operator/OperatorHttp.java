package dev.kvorum.operator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Serves the operator's own health ({@code /healthz}, {@code /readyz}) and {@code /metrics}. */
final class OperatorHttp implements AutoCloseable {
  private static final int BACKLOG = 16;
  private static final int THREADS = 2;

  /** Time-out for receiving a request, which holds a thread meanwhile. */
  static final Duration REQUEST_MAX = Duration.ofSeconds(5);

  /** Time-out for sending a response. */
  private static final Duration ANSWER_MAX = Duration.ofSeconds(30);

  static {
    // The JDK's server has no time-outs unless they are set before the first server is created.
    bound("sun.net.httpserver.maxReqTime", REQUEST_MAX);
    bound("sun.net.httpserver.maxRspTime", ANSWER_MAX);
  }

  private static void bound(String property, Duration time) {
    System.setProperty(property, System.getProperty(property, "" + time.toSeconds()));
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

  OperatorHttp(int port, BooleanSupplier live, BooleanSupplier ready, Supplier<String> metrics)
      throws IOException {
    server = HttpServer.create(new InetSocketAddress(port), BACKLOG);
    server.setExecutor(threads);
    server.createContext("/healthz", exchange -> respond(exchange, live));
    server.createContext("/readyz", exchange -> respond(exchange, ready));
    server.createContext("/metrics", exchange -> respond(exchange, 200, metrics.get()));
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  private static void respond(HttpExchange exchange, BooleanSupplier question) throws IOException {
    boolean yes = question.getAsBoolean();
    respond(exchange, yes ? 200 : 503, yes ? "ok\n" : "not ok\n");
  }

  private static void respond(HttpExchange exchange, int code, String text) throws IOException {
    try (exchange) {
      byte[] body = text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
      exchange.sendResponseHeaders(code, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
