package dev.kvorum.boot;

import dev.kvorum.audit.AuditLog;
import dev.kvorum.audit.AuditRecord;
import dev.kvorum.audit.AuditRecord.Event;
import dev.kvorum.auth.User;
import dev.kvorum.auth.UserFile;
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
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Records in the audit log what changes something through the management port: operations of {@code
 * /actuator}, and writes of the console. Each is recorded as asked for, whatever its outcome.
 */
final class AdministrationFilter implements WebFilter {
  private static final Set<HttpMethod> READS =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
  private static final int PATH_CHARS_MAX = 256;
  private static final int NO_STATUS = 0;

  private final AuditLog audit;
  private final UserFile users;

  AdministrationFilter(AuditLog audit, UserFile users) {
    this.audit = audit;
    this.users = users;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    if (!audit.isOn() || READS.contains(exchange.getRequest().getMethod())) {
      return chain.filter(exchange);
    }
    AtomicBoolean isOpen = new AtomicBoolean(true);
    // An error gets its status behind this filter, so the end of the chain is too early.
    exchange
        .getResponse()
        .beforeCommit(() -> Mono.fromRunnable(() -> record(exchange, status(exchange), isOpen)));
    return chain.filter(exchange).doOnCancel(() -> record(exchange, NO_STATUS, isOpen));
  }

  private static int status(ServerWebExchange exchange) {
    HttpStatusCode status = exchange.getResponse().getStatusCode();
    return status == null ? 200 : status.value();
  }

  private void record(ServerWebExchange exchange, int status, AtomicBoolean isOpen) {
    if (!isOpen.getAndSet(false)) {
      return;
    }
    ServerHttpRequest request = exchange.getRequest();
    String key = request.getQueryParams().getFirst("id");
    audit.record(
        new AuditRecord(
            Instant.now(),
            Event.ADMINISTRATION,
            user(request.getHeaders().getOrEmpty(HttpHeaders.AUTHORIZATION)),
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

  /** This port asks nobody for credentials; the console hands on those that it is given. */
  private Optional<String> user(List<String> given) {
    return given.size() == 1
        ? users.users().withAuthorization(given.getFirst()).map(User::name)
        : Optional.empty();
  }

  private static Optional<InetAddress> address(ServerHttpRequest request) {
    return Optional.ofNullable(request.getRemoteAddress()).map(InetSocketAddress::getAddress);
  }
}
