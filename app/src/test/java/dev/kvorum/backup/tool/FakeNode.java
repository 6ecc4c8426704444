package dev.kvorum.backup.tool;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The management port of a node that takes part in a restore, and stores nothing. */
final class FakeNode implements AutoCloseable {
  private final HttpServer server;
  private final String name;
  private volatile List<String> members;
  private final AtomicInteger epoch = new AtomicInteger(1);
  private final AtomicInteger ignored = new AtomicInteger();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile String current = "";
  private volatile String finished = "";
  private volatile List<String> done = List.of();
  private volatile String rejection = "";

  FakeNode(String name, List<String> members) throws IOException {
    this.name = name;
    this.members = members;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/actuator/kvorum", this::state);
    server.createContext("/actuator/restore", this::restore);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Orders so far, without reads. */
  List<String> requests() {
    return requests;
  }

  String current() {
    return current;
  }

  String finished() {
    return finished;
  }

  /** Prepares it for a backup, as the topology does. */
  void order(String id) {
    current = id;
  }

  /** From now on it rejects preparations; with an empty text it does not. */
  void reject(String why) {
    rejection = why;
  }

  /** It does not respond to so many requests for its state. */
  void ignore(int requests) {
    ignored.set(requests);
  }

  /** Under the next epoch. */
  void members(List<String> now) {
    members = now;
    epoch.incrementAndGet();
  }

  private void state(HttpExchange exchange) throws IOException {
    if (ignored.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      exchange.close();
    } else {
      reply(exchange, 200, state());
    }
  }

  private Map<String, Object> state() {
    return Map.of(
        "node",
        name,
        "cluster",
        "c",
        "clusterName",
        "c",
        "version",
        "0",
        "topologyEpoch",
        epoch.get(),
        "phase",
        "STABLE",
        "replication",
        1,
        "activeFeatures",
        List.of(),
        "members",
        members.stream().map(one -> Map.of("name", one, "zone", "")).toList());
  }

  private void restore(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    String id = exchange.getRequestURI().getPath().replaceFirst(".*/", "");
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    boolean isUndo = query.equals("undo=true");
    if (!method.equals("GET")) {
      requests.add(isUndo ? "UNDO" : method);
    }
    if (method.equals("DELETE")) {
      finished = isUndo || current.isEmpty() ? finished : id;
      current = "";
    } else if (method.equals("POST")) {
      JsonNode order = JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
      boolean isPreparing = order.has("newestStamp");
      if (isPreparing && !rejection.isEmpty()) {
        reply(exchange, 409, Map.of("message", rejection));
        return;
      }
      if (isPreparing) {
        current = id;
      } else {
        done =
            Stream.concat(done.stream(), Stream.of(order.path("sources").asString().split(",")))
                .distinct()
                .toList();
      }
    }
    reply(
        exchange,
        200,
        Map.of(
            "id",
            current,
            "phase",
            current.isEmpty() ? "none" : "waiting",
            "message",
            "",
            "done",
            done,
            "records",
            done.size(),
            "bytes",
            0,
            "finished",
            finished));
  }

  private static void reply(HttpExchange exchange, int status, Map<String, ?> json)
      throws IOException {
    byte[] body = JsonMapper.shared().writeValueAsString(json).getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
