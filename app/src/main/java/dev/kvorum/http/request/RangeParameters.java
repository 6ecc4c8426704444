package dev.kvorum.http.request;

import dev.kvorum.coordinator.RangeQuery;
import dev.kvorum.coordinator.RangeQuery.Scope;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.KeyRange;
import dev.kvorum.http.problem.BadRequestException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request for a range of keys.
 *
 * @param format how the records are to be encoded, if the request says so; any text
 * @param values whether the records come with their values
 * @param count whether the number of records is wanted, and no record
 */
public record RangeParameters(
    RangeQuery query, Optional<String> format, boolean values, boolean count) {
  public static final String PATH = "/v0/entities";

  /** Returns whether a request's URI has the path of a range. */
  public static boolean matches(String uri) {
    return RequestTarget.isFor(PATH, uri);
  }

  /**
   * Parses the parameters of a matching URI.
   *
   * @throws BadRequestException if a parameter is missing, repeated, unknown or out of range
   */
  public static RangeParameters parse(String uri) throws BadRequestException {
    Key start = null;
    Key resume = null;
    Key end = null;
    KeyRange prefix = null;
    String format = null;
    Long limit = null;
    Scope scope = null;
    Boolean values = null;
    Boolean reverse = null;
    Boolean count = null;
    RequestTarget target = new RequestTarget(PATH, uri);
    while (target.next()) {
      switch (target.name()) {
        case "start" -> start = target.once(start, target.key("missing-start"));
        case "resume" -> resume = target.once(resume, ResumeToken.read(target.value()));
        case "end" -> end = target.once(end, target.key("invalid-end"));
        case "prefix" -> prefix = target.once(prefix, prefix(target));
        case "format" -> format = target.once(format, text(target));
        case "limit" -> limit = target.once(limit, limit(target));
        case "scope" -> scope = target.once(scope, scope(target));
        case "values" -> values = target.once(values, flag(target));
        case "reverse" -> reverse = target.once(reverse, flag(target));
        case "count" -> count = target.once(count, flag(target));
        default ->
            throw new BadRequestException(
                "unknown-parameter",
                "'"
                    + target.name()
                    + "' is not a parameter; the parameters are prefix, start, end, resume, limit,"
                    + " reverse, scope, format, values and count");
      }
    }
    boolean isCount = count != null && count;
    if (isCount && (format != null || values != null || reverse != null)) {
      throw new BadRequestException(
          "invalid-count", "with count=true no records come: leave out format, values and reverse");
    }
    KeyOrder order = reverse != null && reverse ? KeyOrder.DESCENDING : KeyOrder.ASCENDING;
    RangeQuery query =
        new RangeQuery(
            range(prefix, start, end, order, resume),
            order,
            limit == null ? Long.MAX_VALUE : limit,
            scope == null ? Scope.CLUSTER : scope);
    return new RangeParameters(
        query, Optional.ofNullable(format), values == null || values, isCount);
  }

  /** An empty prefix is that of all keys. */
  private static KeyRange prefix(RequestTarget target) throws BadRequestException {
    Key prefix = target.keyIfAny();
    return prefix == null ? KeyRange.ALL : KeyRange.ofPrefix(prefix);
  }

  private static KeyRange range(
      @Nullable KeyRange prefix,
      @Nullable Key start,
      @Nullable Key end,
      KeyOrder order,
      @Nullable Key resume)
      throws BadRequestException {
    boolean isReverse = order == KeyOrder.DESCENDING;
    Key first = isReverse ? end : start;
    if (prefix != null && (start != null || end != null)) {
      throw new BadRequestException("invalid-prefix", "use either prefix or start and end");
    }
    if (first != null && resume != null) {
      throw new BadRequestException(
          "invalid-resume",
          isReverse
              ? "with reverse=true use either end or resume, not both"
              : "use either start or resume, not both");
    }
    if (prefix == null && start == null && first == null && resume == null) {
      throw new BadRequestException(
          "missing-start",
          "missing first key: "
              + PATH
              + "?prefix=TEXT or "
              + PATH
              + "?start=KEY (%00 sorts first)");
    }
    KeyRange keys =
        prefix == null
            ? new KeyRange(Optional.ofNullable(start), true, Optional.ofNullable(end))
            : prefix;
    if (resume == null) {
      return keys;
    }
    // A token of another range may be that of a key before this one.
    Optional<Key> bound = isReverse ? keys.end() : keys.start();
    return bound.filter(key -> order.isBefore(resume, key)).isPresent()
        ? keys
        : order.rest(keys, resume);
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
    String label = text(target);
    return switch (label) {
      case "cluster" -> Scope.CLUSTER;
      case "node" -> Scope.NODE;
      default ->
          throw new BadRequestException(
              "invalid-scope", "scope is '" + label + "'; it must be cluster or node");
    };
  }

  private static boolean flag(RequestTarget target) throws BadRequestException {
    String text = text(target);
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new BadRequestException(
              "invalid-boolean", target.name() + " is '" + text + "'; it must be true or false");
    };
  }

  private static String text(RequestTarget target) throws BadRequestException {
    return new String(target.value(), StandardCharsets.UTF_8);
  }
}
