package dev.kvorum.containers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Receives spans over OTLP from containers, and keeps which nodes sent spans of which trace. */
final class SpanCollector implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, Set<String>> nodes = new ConcurrentHashMap<>();

  SpanCollector() {
    try {
      // Containers reach it by their network's gateway.
      server = HttpServer.create(new InetSocketAddress(0), 16);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** The nodes that sent spans of a trace. */
  Set<String> nodes(String trace) {
    return nodes.getOrDefault(trace, Set.of());
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().forEach(this::take);
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  private void take(ResourceSpans spans) {
    String node =
        spans.getResource().getAttributesList().stream()
            .filter(attribute -> attribute.getKey().equals("service.instance.id"))
            .map(KeyValue::getValue)
            .map(value -> value.getStringValue())
            .findFirst()
            .orElse("");
    spans.getScopeSpansList().stream()
        .flatMap(scope -> scope.getSpansList().stream())
        .map(span -> HexFormat.of().formatHex(span.getTraceId().toByteArray()))
        .forEach(
            trace -> nodes.computeIfAbsent(trace, _ -> ConcurrentHashMap.newKeySet()).add(node));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
