package dev.kvorum.chaos;

import dev.kvorum.blackbox.Client;
import dev.kvorum.blackbox.NodeProcess;
import dev.kvorum.chaos.history.Operation;
import dev.kvorum.chaos.history.Operation.Kind;
import dev.kvorum.chaos.history.Operation.Outcome;
import dev.kvorum.verifier.Rejections;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;

/** A client that sends one request at a time, to any node, and keeps a record of each. */
final class LoadClient {
  /** Longer than a node takes to give a request up, so that most are answered. */
  private static final Duration TIMEOUT = Duration.ofMillis(1_500);

  private final String name;
  private final int replicas;
  private final Recorder recorder;
  private int written;

  /**
   * A client.
   *
   * @param replicas how many copies there are of a key by default
   */
  LoadClient(String name, int replicas, Recorder recorder) {
    this.name = name;
    this.replicas = replicas;
    this.recorder = recorder;
  }

  /** Writes a unique value; it never expires if its time to live is 0. */
  Operation put(NodeProcess node, String key, boolean all, long ttlMillis) {
    written++;
    String value = name + ":" + written;
    String parameters = quorum(all) + (ttlMillis > 0 ? "&ttl=" + ttlMillis : "");
    HttpRequest.Builder request =
        node.client().entity(key, parameters).PUT(BodyPublishers.ofString(value));
    return send(new Call(Kind.PUT, node, key, all, value, ttlMillis), request);
  }

  Operation get(NodeProcess node, String key, boolean all) {
    HttpRequest.Builder request = node.client().entity(key, quorum(all)).GET();
    return send(new Call(Kind.GET, node, key, all, "", 0), request);
  }

  Operation delete(NodeProcess node, String key, boolean all) {
    HttpRequest.Builder request = node.client().entity(key, quorum(all)).DELETE();
    return send(new Call(Kind.DELETE, node, key, all, "", 0), request);
  }

  private String quorum(boolean all) {
    return all ? "&ack=" + replicas : "";
  }

  private record Call(
      Kind kind, NodeProcess node, String key, boolean all, String value, long ttlMillis) {}

  private record Result(Outcome outcome, int status, String version, String value) {}

  private Operation send(Call call, HttpRequest.Builder request) {
    long skewMillis = Faults.skewMillis(call.node());
    long start = recorder.nowNanos();
    Result result;
    try {
      result = result(call.kind(), call.node().client().send(request.timeout(TIMEOUT)));
    } catch (UncheckedIOException e) {
      result = new Result(unanswered(e), 0, "", "");
    }
    Operation operation =
        new Operation(
            name,
            call.kind(),
            call.all(),
            call.key(),
            call.kind() == Kind.GET ? result.value() : call.value(),
            call.ttlMillis(),
            result.version(),
            call.node().name(),
            skewMillis,
            start,
            recorder.nowNanos(),
            result.outcome(),
            result.status());
    recorder.add(operation);
    return operation;
  }

  private static Outcome unanswered(UncheckedIOException failure) {
    // Without a connection nothing was sent; with one, it is unknown how much was read.
    Throwable cause = failure.getCause();
    return cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException
        ? Outcome.REJECTED
        : Outcome.INDETERMINATE;
  }

  private static Result result(Kind kind, HttpResponse<byte[]> answer) {
    int status = answer.statusCode();
    String version = answer.headers().firstValue("ETag").orElse("").replace("\"", "");
    Outcome outcome =
        switch (status) {
          case 200, 201, 202 -> Outcome.OK;
          case 404 -> kind == Kind.GET ? Outcome.NOT_FOUND : Outcome.INDETERMINATE;
          default -> Rejections.isRejected(status) ? Outcome.REJECTED : Outcome.INDETERMINATE;
        };
    boolean found = outcome == Outcome.OK && kind == Kind.GET;
    return new Result(
        outcome, status, outcome == Outcome.OK ? version : "", found ? Client.text(answer) : "");
  }
}
