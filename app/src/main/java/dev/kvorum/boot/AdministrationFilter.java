package dev.kvorum.boot;

import dev.kvorum.audit.AuditLog;
import dev.kvorum.audit.AuditRecord;
import dev.kvorum.audit.AuditRecord.Event;
import dev.kvorum.auth.FailedAttempts;
import dev.kvorum.auth.User;
import dev.kvorum.auth.UserFile;
import dev.kvorum.http.AccessControl;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
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
  private final FailedAttempts failures;

  AdministrationFilter(AuditLog audit, UserFile users, FailedAttempts failures) {
    this.audit = audit;
    this.users = users;
    this.failures = failures;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    if (READS.contains(exchange.getRequest().getMethod())) {
      return chain.filter(exchange);
    }
    List<String> given = exchange.getRequest().getHeaders().getOrEmpty(HttpHeaders.AUTHORIZATION);
    Optional<User> user = user(given);
    Mono<Void> handled =
        refusal(exchange.getRequest(), !given.isEmpty(), user)
            .map(why -> refused(exchange, why))
            .orElseGet(() -> chain.filter(exchange));
    if (!audit.isOn()) {
      return handled;
    }
    AtomicBoolean isOpen = new AtomicBoolean(true);
    // An error gets its status behind this filter, so the end of the chain is too early.
    exchange
        .getResponse()
        .beforeCommit(
            () -> Mono.fromRunnable(() -> record(exchange, user, status(exchange), isOpen)));
    return handled.doOnCancel(() -> record(exchange, user, NO_STATUS, isOpen));
  }

  /** Why a request is refused; empty if it is not. */
  private Optional<HttpStatus> refusal(
      ServerHttpRequest request, boolean isGiven, Optional<User> user) {
    boolean isOpen = !users.isUsed() || users.anonymous().isAdministrator();
    if (isOpen || request.getPath().value().startsWith(CONSOLE)) {
      return Optional.empty();
    }
    if (!isGiven) {
      return Optional.of(HttpStatus.UNAUTHORIZED);
    }
    Optional<InetAddress> address = address(request);
    if (address.filter(failures::isBlocked).isPresent()) {
      return Optional.of(HttpStatus.TOO_MANY_REQUESTS);
    }
    if (user.isEmpty()) {
      address.ifPresent(failures::failed);
      return Optional.of(HttpStatus.UNAUTHORIZED);
    }
    return user.get().isAdministrator() ? Optional.empty() : Optional.of(HttpStatus.FORBIDDEN);
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
      ServerWebExchange exchange, Optional<User> user, int status, AtomicBoolean isOpen) {
    if (!isOpen.getAndSet(false)) {
      return;
    }
    ServerHttpRequest request = exchange.getRequest();
    String key = request.getQueryParams().getFirst("id");
    audit.record(
        new AuditRecord(
            Instant.now(),
            Event.ADMINISTRATION,
            user.map(User::name),
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

  private Optional<User> user(List<String> given) {
    return given.size() == 1 ? users.users().withAuthorization(given.getFirst()) : Optional.empty();
  }

  private static Optional<InetAddress> address(ServerHttpRequest request) {
    return Optional.ofNullable(request.getRemoteAddress()).map(InetSocketAddress::getAddress);
  }
}
