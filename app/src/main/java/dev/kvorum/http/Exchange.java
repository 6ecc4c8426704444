package dev.kvorum.http;

import dev.kvorum.auth.RequestBytes;
import dev.kvorum.auth.User;
import dev.kvorum.auth.serviceaccount.TokenResult;
import dev.kvorum.http.AdmissionControl.Permit;
import dev.kvorum.http.problem.Problem;
import dev.kvorum.metrics.Operation;
import dev.kvorum.metrics.RequestMeters;
import dev.kvorum.tracing.Span;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpMethod;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SignalType;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * One request and its response, from the received head to the last byte written to the socket.
 * Confined to the connection's event loop.
 */
final class Exchange {
  private final RequestLog log;
  private final Operation operation;
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final Span span;
  private final long beganNanos = System.nanoTime();
  private @Nullable User user;
  private @Nullable TokenResult checked;
  private RequestBytes bytes = RequestBytes.UNLIMITED;
  private Runnable atEnd = () -> {};
  private @Nullable Permit permit;
  private String outcome = RequestMeters.CANCELLED;
  private int truncated;

  Exchange(
      RequestLog log,
      Operation operation,
      HttpServerRequest request,
      HttpServerResponse response,
      Span span) {
    this.log = log;
    this.operation = operation;
    this.request = request;
    this.response = response;
    this.span = span;
  }

  HttpServerRequest request() {
    return request;
  }

  HttpServerResponse response() {
    return response;
  }

  Operation operation() {
    return operation;
  }

  /** Returns whether the method is GET or HEAD. */
  boolean isRead() {
    HttpMethod method = request.method();
    return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
  }

  /** Span of the request in its trace. */
  Span span() {
    return span;
  }

  /** What the request uses of its user's limit of bytes in flight. */
  RequestBytes bytes() {
    return bytes;
  }

  /** When the request was received, in {@link System#nanoTime()}. */
  long beganNanos() {
    return beganNanos;
  }

  /** What became of the check of its token; null: none was needed so far. */
  @Nullable TokenResult checked() {
    return checked;
  }

  /** Sets what became of the check of its token. */
  void checked(TokenResult result) {
    assert isOnLoop();
    checked = result;
  }

  /** Sets the user, once that is known. */
  void sentBy(User sender) {
    assert isOnLoop();
    user = sender;
    bytes = sender.limits().newRequest();
  }

  /** Name of the user; empty: it is not known, or there is none. */
  Optional<String> userName() {
    return Optional.ofNullable(user).filter(it -> !it.isAnonymous()).map(User::name);
  }

  /** The connection. */
  Channel channel() {
    AtomicReference<Channel> channel = new AtomicReference<>();
    request.withConnection(connection -> channel.set(connection.channel()));
    return channel.get();
  }

  private boolean isOnLoop() {
    return channel().eventLoop().inEventLoop();
  }

  /** Where the request came from. */
  Optional<InetAddress> address() {
    return channel().remoteAddress() instanceof InetSocketAddress socket
        ? Optional.ofNullable(socket.getAddress())
        : Optional.empty();
  }

  /** Runs something once the outcome is known. */
  void atEnd(Runnable action) {
    assert isOnLoop();
    atEnd = action;
  }

  /** Current outcome, as a label. */
  String outcome() {
    return outcome;
  }

  /** Sets the outcome. */
  void outcome(String label) {
    assert isOnLoop();
    outcome = label;
  }

  /** Marks a response with a success status as truncated, with the reason. */
  void truncated(Problem problem) {
    assert isOnLoop();
    outcome = problem.name();
    truncated = problem.status().code();
  }

  /** The final status: not that of the response head when the response was truncated. */
  int status() {
    return truncated == 0 ? response.status().code() : truncated;
  }

  /** Attaches the permit, which is released when the response ends. */
  void taken(Permit newPermit) {
    assert isOnLoop();
    permit = newPermit;
  }

  /** Wraps the response so that its end is recorded. */
  Publisher<Void> measured(Publisher<Void> response) {
    return Flux.from(response).doFinally(this::ended);
  }

  private void ended(SignalType signal) {
    assert isOnLoop();
    if (signal != SignalType.ON_COMPLETE) {
      outcome = RequestMeters.CANCELLED;
    }
    if (permit != null) {
      permit.close();
    }
    atEnd.run();
    log.ended(this, System.nanoTime() - beganNanos);
  }
}
