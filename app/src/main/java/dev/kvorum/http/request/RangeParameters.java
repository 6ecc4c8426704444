package dev.kvorum.http.request;

import dev.kvorum.coordinator.RangeQuery;
import dev.kvorum.coordinator.RangeQuery.Scope;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.http.problem.BadRequestException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The parameters of a request for a range of keys. */
public final class RangeParameters {
  public static final String PATH = "/v0/entities";

  private RangeParameters() {}

  /** Returns whether a request's URI has the path of a range. */
  public static boolean matches(String uri) {
    return RequestTarget.isFor(PATH, uri);
  }

  /**
   * Parses the parameters of a matching URI.
   *
   * @throws BadRequestException if a parameter is missing, repeated, unknown or out of range
   */
  public static RangeQuery parse(String uri) throws BadRequestException {
    Key start = null;
    Key resume = null;
    Key end = null;
    Long limit = null;
    Scope scope = null;
    RequestTarget target = new RequestTarget(PATH, uri);
    while (target.next()) {
      switch (target.name()) {
        case "start" -> start = target.once(start, target.key("missing-start"));
        case "resume" -> resume = target.once(resume, ResumeToken.read(target.value()));
        case "end" -> end = target.once(end, target.key("invalid-end"));
        case "limit" -> limit = target.once(limit, limit(target));
        case "scope" -> scope = target.once(scope, scope(target));
        default ->
            throw new BadRequestException(
                "unknown-parameter",
                "'"
                    + target.name()
                    + "' is not a parameter; the parameters are start, resume, end, limit and"
                    + " scope");
      }
    }
    return new RangeQuery(
        range(start, resume, end),
        limit == null ? Long.MAX_VALUE : limit,
        scope == null ? Scope.CLUSTER : scope);
  }

  private static KeyRange range(@Nullable Key start, @Nullable Key resume, @Nullable Key end)
      throws BadRequestException {
    if (start != null && resume != null) {
      throw new BadRequestException("invalid-resume", "use either start or resume, not both");
    }
    if (start == null && resume == null) {
      throw new BadRequestException(
          "missing-start", "missing first key: " + PATH + "?start=KEY (%00 sorts first)");
    }
    return new KeyRange(
        Optional.of(start == null ? Objects.requireNonNull(resume) : start),
        start != null,
        Optional.ofNullable(end));
  }

  private static long limit(RequestTarget target) throws BadRequestException {
    long limit = target.number(Long.MIN_VALUE, Long.MAX_VALUE);
    if (limit < 1) {
      throw new BadRequestException(
          "invalid-limit", "limit is " + limit + "; it must be at least 1 record");
    }
    return limit;
  }

  private static Scope scope(RequestTarget target) throws BadRequestException {
    String label = new String(target.value(), StandardCharsets.UTF_8);
    return switch (label) {
      case "cluster" -> Scope.CLUSTER;
      case "node" -> Scope.NODE;
      default ->
          throw new BadRequestException(
              "invalid-scope", "scope is '" + label + "'; it must be cluster or node");
    };
  }
}
