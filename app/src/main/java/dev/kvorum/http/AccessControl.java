package dev.kvorum.http;

import dev.kvorum.audit.AuditLog;
import dev.kvorum.audit.AuditRecord;
import dev.kvorum.audit.AuditRecord.Event;
import dev.kvorum.auth.Authenticator;
import dev.kvorum.auth.Identity;
import dev.kvorum.auth.Rights;
import dev.kvorum.auth.User;
import dev.kvorum.auth.UserFile;
import dev.kvorum.auth.Verb;
import dev.kvorum.auth.serviceaccount.TokenResult;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.http.problem.Problem;
import dev.kvorum.http.problem.Problems;
import dev.kvorum.metrics.Operation;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Decides whether who sends a request may do so, before it is admitted, and rejects what a user
 * sends over its limits. Safe for use by many threads.
 */
public final class AccessControl {
  /** How a client is told that it needs a token. */
  public static final String CHALLENGE = "Bearer realm=\"kvorum\"";

  private final UserFile file;
  private final Callers callers;
  private final RequestAudit audit;
  private final LongAdder overRequests = new LongAdder();
  private final LongAdder overBytes = new LongAdder();

  public AccessControl(UserFile file, Authenticator authenticator, AuditLog audit) {
    this.file = file;
    this.callers = new Callers(file, authenticator);
    this.audit = new RequestAudit(audit);
  }

  /**
   * Responds to a request that may not do this with a key, or not yet; null if it may.
   *
   * @param again handles the request from the start, once its sender is known
   */
  @Nullable Publisher<Void> rejection(
      Exchange exchange, Key key, Function<Exchange, Publisher<Void>> again) {
    Publisher<Void> rejection =
        rejection(
            exchange,
            again,
            rights -> rights.allow(verb(exchange.operation()), key),
            () -> AuditRecord.targetOf(key));
    if (rejection == null) {
      audit.watch(exchange, key);
    }
    return rejection;
  }

  /**
   * Responds to a request that may not do this with each key of a range, or not yet; null if it
   * may.
   *
   * @param again handles the request from the start, once its sender is known
   */
  @Nullable Publisher<Void> rejection(
      Exchange exchange, KeyRange keys, Function<Exchange, Publisher<Void>> again) {
    return rejection(
        exchange,
        again,
        rights -> rights.allow(verb(exchange.operation()), keys),
        () -> AuditRecord.targetOf(keys));
  }

  private static Verb verb(Operation operation) {
    return switch (operation) {
      case PUT -> Verb.PUT;
      case DELETE -> Verb.DELETE;
      case RANGE -> Verb.RANGE;
      case GET, HEAD, EXPLAIN, OTHER -> Verb.GET;
    };
  }

  private @Nullable Publisher<Void> rejection(
      Exchange exchange,
      Function<Exchange, Publisher<Void>> again,
      Predicate<Rights> isAllowed,
      Supplier<Map<String, String>> target) {
    if (file.isOpen()) {
      return null;
    }
    return switch (callers.of(exchange)) {
      case Identity.Known(User user, var until) -> {
        exchange.sentBy(user);
        if (isAllowed.test(user.rights())) {
          yield overRate(exchange, user);
        }
        Problem problem =
            user.isAnonymous()
                ? Problems.UNAUTHENTICATED
                : Problems.notAllowed(user.name(), verb(exchange.operation()).label());
        audit.rejected(exchange, Event.DENIED, target, problem);
        yield respond(exchange, problem);
      }
      case Identity.Unknown why -> {
        Problem problem = problem(why);
        audit.rejected(exchange, Event.CREDENTIALS, target, problem);
        yield respond(exchange, problem);
      }
      case Identity.Checking(CompletionStage<TokenResult> result) ->
          // An exchange belongs to the event loop of its connection.
          Mono.fromCompletionStage(result)
              .publishOn(Schedulers.fromExecutor(exchange.channel().eventLoop()))
              .flatMap(known -> {
                exchange.checked(known);
                return Mono.from(again.apply(exchange));
              });
    };
  }

  /** The response to credentials that are nobody's. */
  public static Problem problem(Identity.Unknown why) {
    return switch (why) {
      case WRONG -> Problems.WRONG_CREDENTIALS;
      case BLOCKED -> Problems.TOO_MANY_FAILURES;
      case UNCHECKED -> Problems.UNCHECKED_CREDENTIALS;
    };
  }

  private @Nullable Publisher<Void> overRate(Exchange exchange, User user) {
    if (user.limits().takeRequest()) {
      return null;
    }
    overRequests.increment();
    return Responses.unavailable(exchange, Problems.USER_REQUESTS);
  }

  /** Responds to a request whose bytes are too many for its user at this time. */
  Publisher<Void> overBytes(Exchange exchange) {
    overBytes.increment();
    return Responses.unavailable(exchange, Problems.USER_BYTES);
  }

  /** Requests rejected because a user had sent too many. */
  public long overRequests() {
    return overRequests.sum();
  }

  /** Requests rejected because a user had too many bytes in flight. */
  public long overBytes() {
    return overBytes.sum();
  }

  private static Publisher<Void> respond(Exchange exchange, Problem problem) {
    if (problem.status().equals(HttpResponseStatus.TOO_MANY_REQUESTS)
        || problem.status().equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
      return Responses.unavailable(exchange, problem);
    }
    if (problem.status().equals(HttpResponseStatus.UNAUTHORIZED)) {
      exchange.response().header(HttpHeaderNames.WWW_AUTHENTICATE, CHALLENGE);
    }
    return Responses.problem(exchange, problem);
  }
}
