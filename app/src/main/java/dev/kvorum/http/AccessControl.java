package dev.kvorum.http;

import dev.kvorum.audit.AuditLog;
import dev.kvorum.audit.AuditRecord;
import dev.kvorum.audit.AuditRecord.Event;
import dev.kvorum.auth.FailedAttempts;
import dev.kvorum.auth.Rights;
import dev.kvorum.auth.User;
import dev.kvorum.auth.UserFile;
import dev.kvorum.auth.Users;
import dev.kvorum.auth.Verb;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.http.problem.Problem;
import dev.kvorum.http.problem.Problems;
import dev.kvorum.metrics.Operation;
import dev.kvorum.security.ClientCertificates;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AttributeKey;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * Decides who sends a request, and whether they may, before it is admitted. Who it is is found out
 * once for a connection, and again when the credentials or the users have changed. Refuses what a
 * user sends over its limits. Safe for use by many threads.
 */
public final class AccessControl {
  private static final AttributeKey<Known> KNOWN = AttributeKey.valueOf("kvorum.user");

  /** How a client is told that it needs a token. */
  public static final String CHALLENGE = "Bearer realm=\"kvorum\"";

  private final UserFile file;
  private final FailedAttempts failures;
  private final RequestAudit audit;
  private final LongAdder overRequests = new LongAdder();
  private final LongAdder overBytes = new LongAdder();

  public AccessControl(UserFile file, FailedAttempts failures, AuditLog audit) {
    this.file = file;
    this.failures = failures;
    this.audit = new RequestAudit(audit);
  }

  /**
   * Who has sent the last request of a connection.
   *
   * @param credentials its header; empty: there was none
   * @param users those of then
   */
  private record Known(String credentials, Users users, User user) {
    /** Each change of the file makes another object, so that no contents need be compared. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(String header, Users now) {
      return users == now && credentials.equals(header);
    }
  }

  /** Who sends a request, or why that is not known. */
  private sealed interface Caller {
    /** Someone, or someone without credentials. */
    record Of(User user) implements Caller {}

    /** Nobody that is known. */
    record Refused(Problem problem) implements Caller {}
  }

  /** Answers a request that may not do this with a key; null if it may. */
  @Nullable Publisher<Void> refusal(Exchange exchange, Key key) {
    Publisher<Void> refusal =
        refusal(
            exchange,
            rights -> rights.allow(verb(exchange.operation()), key),
            () -> AuditRecord.targetOf(key));
    if (refusal == null) {
      audit.watch(exchange, key);
    }
    return refusal;
  }

  /** Answers a request that may not do this with each key of a range; null if it may. */
  @Nullable Publisher<Void> refusal(Exchange exchange, KeyRange keys) {
    return refusal(
        exchange,
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

  private @Nullable Publisher<Void> refusal(
      Exchange exchange, Predicate<Rights> isAllowed, Supplier<Map<String, String>> target) {
    if (file.isOpen()) {
      return null;
    }
    Caller caller = caller(exchange);
    if (caller instanceof Caller.Of(User user)) {
      exchange.sentBy(user);
      if (isAllowed.test(user.rights())) {
        return overRate(exchange, user);
      }
    }
    Problem problem = problem(exchange, caller);
    audit.refused(
        exchange, caller instanceof Caller.Of ? Event.DENIED : Event.CREDENTIALS, target, problem);
    return answer(exchange, problem);
  }

  private static Problem problem(Exchange exchange, Caller refused) {
    return switch (refused) {
      case Caller.Refused(Problem problem) -> problem;
      case Caller.Of(User user) when user.isAnonymous() -> Problems.UNAUTHENTICATED;
      case Caller.Of(User user) ->
          Problems.notAllowed(user.name(), verb(exchange.operation()).label());
    };
  }

  private @Nullable Publisher<Void> overRate(Exchange exchange, User user) {
    if (user.limits().takeRequest()) {
      return null;
    }
    overRequests.increment();
    return Responses.unavailable(exchange, Problems.USER_REQUESTS);
  }

  /** Answers a request whose bytes are too many for its user at this time. */
  Publisher<Void> overBytes(Exchange exchange) {
    overBytes.increment();
    return Responses.unavailable(exchange, Problems.USER_BYTES);
  }

  /** Requests refused because a user had sent too many. */
  public long overRequests() {
    return overRequests.sum();
  }

  /** Requests refused because a user had too many bytes in flight. */
  public long overBytes() {
    return overBytes.sum();
  }

  private static Publisher<Void> answer(Exchange exchange, Problem problem) {
    if (problem.status().equals(HttpResponseStatus.TOO_MANY_REQUESTS)) {
      return Responses.unavailable(exchange, problem);
    }
    if (problem.status().equals(HttpResponseStatus.UNAUTHORIZED)) {
      exchange.response().header(HttpHeaderNames.WWW_AUTHENTICATE, CHALLENGE);
    }
    return Responses.problem(exchange, problem);
  }

  private Caller caller(Exchange exchange) {
    Channel channel = exchange.channel();
    HttpHeaders headers = exchange.request().requestHeaders();
    List<String> given = file.isUsed() ? headers.getAll(HttpHeaderNames.AUTHORIZATION) : List.of();
    String header = given.isEmpty() ? "" : given.getFirst();
    Users users = file.users();
    Known known = channel.attr(KNOWN).get();
    boolean isOneToken = given.size() == 1 && Users.hasToken(header);
    if (known != null && (given.isEmpty() || isOneToken) && known.isOf(header, users)) {
      return new Caller.Of(known.user());
    }
    if (given.isEmpty()) {
      return remembered(channel, header, users, ofCertificate(channel, users));
    }
    boolean wasRight = known != null && known.credentials().equals(header);
    Optional<InetAddress> address = exchange.address();
    if (!wasRight && address.filter(failures::isBlocked).isPresent()) {
      return new Caller.Refused(Problems.TOO_MANY_FAILURES);
    }
    Optional<User> user = given.size() == 1 ? users.withAuthorization(header) : Optional.empty();
    if (user.isEmpty()) {
      address.ifPresent(failures::failed);
      return new Caller.Refused(Problems.WRONG_CREDENTIALS);
    }
    return remembered(channel, header, users, user.get());
  }

  private static Caller remembered(Channel channel, String header, Users users, User user) {
    channel.attr(KNOWN).set(new Known(header, users, user));
    return new Caller.Of(user);
  }

  private User ofCertificate(Channel channel, Users users) {
    return ClientCertificates.commonName(channel)
        .flatMap(users::withCertificate)
        .orElseGet(file::anonymous);
  }
}
