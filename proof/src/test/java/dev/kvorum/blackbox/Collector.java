package dev.kvorum.blackbox;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A collector of traces that takes OTLP over HTTP and keeps the spans. */
final class Collector implements AutoCloseable {
  private static final String PATH = "/v1/traces";

  private final HttpServer server;
  private final List<Taken> spans = new CopyOnWriteArrayList<>();

  /**
   * A received span.
   *
   * @param node that sent it
   * @param resource the node's resource attributes
   */
  record Taken(
      String node,
      Map<String, String> resource,
      String trace,
      String id,
      String parent,
      String name,
      Span.SpanKind kind,
      Map<String, String> attributes) {}

  Collector() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(PATH, this::take);
    server.start();
  }

  /** Where nodes send their spans. */
  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + PATH;
  }

  /** All spans of a trace that have come so far. */
  List<Taken> spans(String trace) {
    return spans.stream().filter(span -> span.trace.equals(trace)).toList();
  }

  /** All spans that have come so far. */
  List<Taken> spans() {
    return spans;
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().forEach(this::take);
    exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  private void take(ResourceSpans resource) {
    Map<String, String> node = map(resource.getResource().getAttributesList());
    resource
        .getScopeSpansList()
        .forEach(scope ->
            scope
                .getSpansList()
                .forEach(span ->
                    spans.add(
                        new Taken(
                            node.getOrDefault("service.instance.id", ""),
                            node,
                            hex(span.getTraceId().toByteArray()),
                            hex(span.getSpanId().toByteArray()),
                            hex(span.getParentSpanId().toByteArray()),
                            span.getName(),
                            span.getKind(),
                            map(span.getAttributesList())))));
  }

  private static Map<String, String> map(List<KeyValue> attributes) {
    Map<String, String> map = new TreeMap<>();
    for (KeyValue attribute : attributes) {
      AnyValue value = attribute.getValue();
      map.put(
          attribute.getKey(),
          value.hasIntValue() ? Long.toString(value.getIntValue()) : value.getStringValue());
    }
    return map;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
