package dev.kvorum.boot;

import dev.kvorum.audit.AuditLog;
import dev.kvorum.audit.AuditRecord;
import dev.kvorum.audit.AuditRecord.Event;
import dev.kvorum.auth.Authenticator;
import dev.kvorum.auth.Identity;
import dev.kvorum.auth.ManagementRight;
import dev.kvorum.auth.User;
import dev.kvorum.auth.UserFile;
import dev.kvorum.auth.Users;
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
import java.util.regex.Pattern;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Decides who may do what at the management port: health and the console's page are for everyone,
 * what the console forwards is decided at the port for clients, state and metrics need an observer,
 * and what changes something an administrator, where not everyone is one.
 */
final class ManagementAccess implements WebFilter {
  private static final Set<HttpMethod> READS =
      Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
  private static final Set<String> PAGE =
      Set.of("/", "/console/console.css", "/console/console.js");
  private static final Set<String> FORWARDED =
      Set.of("/console/entity", "/console/entities", "/console/explain");
  private static final Pattern HEALTH = Pattern.compile("/actuator/health(/[A-Za-z]+)*");
  private static final String USER = "kvorum.user";
  private static final int PATH_CHARS_MAX = 256;

  private final AuditLog audit;
  private final UserFile users;
  private final Authenticator authenticator;

  ManagementAccess(AuditLog audit, UserFile users, Authenticator authenticator) {
    this.audit = audit;
    this.users = users;
    this.authenticator = authenticator;
  }

  /** Whether a request changes nothing. */
  static boolean isRead(ServerHttpRequest request) {
    return READS.contains(request.getMethod());
  }

  private static ManagementRight needed(ServerHttpRequest request) {
    String path = request.getPath().value();
    if (FORWARDED.contains(path)) {
      return ManagementRight.NONE;
    }
    if (!isRead(request)) {
      return ManagementRight.ADMINISTER;
    }
    return PAGE.contains(path) || HEALTH.matcher(path).matches()
        ? ManagementRight.NONE
        : ManagementRight.OBSERVE;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    ServerHttpRequest request = exchange.getRequest();
    List<String> given = request.getHeaders().getOrEmpty(HttpHeaders.AUTHORIZATION);
    ManagementRight needed = needed(request);
    if (users.anonymous().may(needed)) {
      // Wrong credentials do not count here; right ones are named in the audit log.
      return given.isEmpty() || isRead(request)
          ? chain.filter(exchange)
          : identity(given, Optional.empty())
              .flatMap(identity -> decided(exchange, chain, identity, ManagementRight.NONE));
    }
    return given.isEmpty()
        ? rejected(exchange, Event.DENIED, HttpStatus.UNAUTHORIZED, needed)
        : identity(given, address(request))
            .flatMap(identity -> decided(exchange, chain, identity, needed));
  }

  private Mono<Identity> identity(List<String> given, Optional<InetAddress> address) {
    Users now = users.users();
    Identity identity = authenticator.identify(given, now, address, false, null);
    return identity instanceof Identity.Checking(CompletionStage<TokenResult> result)
        ? Mono.fromCompletionStage(result)
            .publishOn(Schedulers.parallel())
            .map(checked -> authenticator.identify(given, now, address, false, checked))
        : Mono.just(identity);
  }

  private Mono<Void> decided(
      ServerWebExchange exchange, WebFilterChain chain, Identity identity, ManagementRight needed) {
    if (identity instanceof Identity.Known(User user, var until)) {
      exchange.getAttributes().put(USER, user.name());
      return user.may(needed)
          ? chain.filter(exchange)
          : rejected(exchange, Event.DENIED, HttpStatus.FORBIDDEN, needed);
    }
    return needed == ManagementRight.NONE
        ? chain.filter(exchange)
        : rejected(exchange, Event.CREDENTIALS, status(identity), needed);
  }

  private static HttpStatus status(Identity unknown) {
    return unknown instanceof Identity.Unknown why
        ? HttpStatus.valueOf(AccessControl.problem(why).status().code())
        : HttpStatus.SERVICE_UNAVAILABLE;
  }

  private Mono<Void> rejected(
      ServerWebExchange exchange, Event event, HttpStatus why, ManagementRight needed) {
    // The others are recorded as administration.
    if (isRead(exchange.getRequest()) && audit.isOn()) {
      audit.rejected(record(exchange, event, why.value(), "rejected"));
    }
    if (why == HttpStatus.UNAUTHORIZED) {
      exchange
          .getResponse()
          .getHeaders()
          .set(HttpHeaders.WWW_AUTHENTICATE, AccessControl.CHALLENGE);
    }
    String whose = needed == ManagementRight.OBSERVE ? "an observer" : "an administrator";
    return Mono.error(new ResponseStatusException(why, "the token of " + whose + " is needed"));
  }

  /** A record for the audit log, of who was found to send the request. */
  static AuditRecord record(ServerWebExchange exchange, Event event, int status, String outcome) {
    ServerHttpRequest request = exchange.getRequest();
    String key = request.getQueryParams().getFirst("id");
    return new AuditRecord(
        Instant.now(),
        event,
        Optional.ofNullable(exchange.getAttribute(USER)),
        address(request),
        request.getMethod() + " " + path(request),
        key == null ? Map.of() : AuditRecord.targetOf(key),
        status,
        outcome);
  }

  private static String path(ServerHttpRequest request) {
    String path = request.getPath().value();
    return path.substring(0, Math.min(path.length(), PATH_CHARS_MAX));
  }

  private static Optional<InetAddress> address(ServerHttpRequest request) {
    return Optional.ofNullable(request.getRemoteAddress()).map(InetSocketAddress::getAddress);
  }
}
