package dev.kvorum.boot;

import dev.kvorum.audit.AuditLog;
import dev.kvorum.audit.AuditRecord;
import dev.kvorum.audit.AuditRecord.Event;
import dev.kvorum.auth.Authenticator;
import dev.kvorum.auth.Identity;
import dev.kvorum.auth.User;
import dev.kvorum.auth.UserFile;
import dev.kvorum.auth.serviceaccount.TokenResult;
import dev.kvorum.http.AccessControl;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Lets only administrators change something through the management port, where not everything is
 * allowed without credentials, and records it in the audit log: operations of {@code /actuator},
 * and writes of the console, for which the port for clients asks for credentials. Each is recorded
 * as asked for, whatever its outcome.
 */
final class AdministrationFilter implements WebFilter {
  private static final Set<HttpMethod> READS =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
  private static final String CONSOLE = "/console/";
  private static final int PATH_CHARS_MAX = 256;
  private static final int NO_STATUS = 0;

  private final AuditLog audit;
  private final UserFile users;
  private final Authenticator authenticator;

  AdministrationFilter(AuditLog audit, UserFile users, Authenticator authenticator) {
    this.audit = audit;
    this.users = users;
    this.authenticator = authenticator;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    ServerHttpRequest request = exchange.getRequest();
    if (READS.contains(request.getMethod())) {
      return chain.filter(exchange);
    }
    List<String> given = request.getHeaders().getOrEmpty(HttpHeaders.AUTHORIZATION);
    if (given.isEmpty()) {
      return filter(exchange, chain, Optional.empty());
    }
    Identity identity = identity(request, given, null);
    return identity instanceof Identity.Checking(CompletionStage<TokenResult> result)
        ? Mono.fromCompletionStage(result)
            .publishOn(Schedulers.parallel())
            .map(checked -> identity(request, given, checked))
            .flatMap(known -> filter(exchange, chain, Optional.of(known)))
        : filter(exchange, chain, Optional.of(identity));
  }

  /** Where nothing is refused, wrong credentials do not count either. */
  private Identity identity(
      ServerHttpRequest request, List<String> given, @Nullable TokenResult checked) {
    Optional<InetAddress> address = isOpen(request) ? Optional.empty() : address(request);
    return authenticator.identify(given, users.users(), address, false, checked);
  }

  private boolean isOpen(ServerHttpRequest request) {
    return !users.isUsed()
        || users.anonymous().isAdministrator()
        || request.getPath().value().startsWith(CONSOLE);
  }

  private Mono<Void> filter(
      ServerWebExchange exchange, WebFilterChain chain, Optional<Identity> identity) {
    Mono<Void> handled =
        (isOpen(exchange.getRequest()) ? Optional.<HttpStatus>empty() : refusal(identity))
            .map(why -> refused(exchange, why))
            .orElseGet(() -> chain.filter(exchange));
    if (!audit.isOn()) {
      return handled;
    }
    Optional<String> user = identity.flatMap(AdministrationFilter::name);
    AtomicBoolean isOpen = new AtomicBoolean(true);
    // An error gets its status behind this filter, so the end of the chain is too early.
    exchange
        .getResponse()
        .beforeCommit(
            () -> Mono.fromRunnable(() -> record(exchange, user, status(exchange), isOpen)));
    return handled.doOnCancel(() -> record(exchange, user, NO_STATUS, isOpen));
  }

  private static Optional<String> name(Identity identity) {
    return identity instanceof Identity.Known(User user, var until)
        ? Optional.of(user.name())
        : Optional.empty();
  }

  /**
   * Why a request is refused; empty if it is not.
   *
   * @param identity empty: there were no credentials
   */
  private static Optional<HttpStatus> refusal(Optional<Identity> identity) {
    return switch (identity.orElse(Identity.Unknown.WRONG)) {
      case Identity.Known(User user, var until) ->
          user.isAdministrator() ? Optional.empty() : Optional.of(HttpStatus.FORBIDDEN);
      case Identity.Unknown why ->
          Optional.of(
              switch (why) {
                case WRONG -> HttpStatus.UNAUTHORIZED;
                case BLOCKED -> HttpStatus.TOO_MANY_REQUESTS;
                case UNCHECKED -> HttpStatus.SERVICE_UNAVAILABLE;
              });
      case Identity.Checking checking -> Optional.of(HttpStatus.SERVICE_UNAVAILABLE);
    };
  }

  private static Mono<Void> refused(ServerWebExchange exchange, HttpStatus why) {
    if (why == HttpStatus.UNAUTHORIZED) {
      exchange
          .getResponse()
          .getHeaders()
          .set(HttpHeaders.WWW_AUTHENTICATE, AccessControl.CHALLENGE);
    }
    return Mono.error(new ResponseStatusException(why, "the token of an administrator is needed"));
  }

  private static int status(ServerWebExchange exchange) {
    HttpStatusCode status = exchange.getResponse().getStatusCode();
    return status == null ? 200 : status.value();
  }

  private void record(
      ServerWebExchange exchange, Optional<String> user, int status, AtomicBoolean isOpen) {
    if (!isOpen.getAndSet(false)) {
      return;
    }
    ServerHttpRequest request = exchange.getRequest();
    String key = request.getQueryParams().getFirst("id");
    audit.record(
        new AuditRecord(
            Instant.now(),
            Event.ADMINISTRATION,
            user,
            address(request),
            request.getMethod() + " " + path(request),
            key == null ? Map.of() : AuditRecord.targetOf(key),
            status,
            outcome(status)));
  }

  private static String outcome(int status) {
    return status == NO_STATUS
        ? "cancelled"
        : status < 400 ? "ok" : status < 500 ? "refused" : "failed";
  }

  private static String path(ServerHttpRequest request) {
    String path = request.getPath().value();
    return path.substring(0, Math.min(path.length(), PATH_CHARS_MAX));
  }

  private static Optional<InetAddress> address(ServerHttpRequest request) {
    return Optional.ofNullable(request.getRemoteAddress()).map(InetSocketAddress::getAddress);
  }
}
