package dev.kvorum.http.request;

import dev.kvorum.data.Key;
import dev.kvorum.http.problem.BadRequestException;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request for one key.
 *
 * @param ack as given, or null
 * @param from as given, or null
 * @param ttlMillis as given, or null
 */
public record EntityQuery(
    Key key, @Nullable Integer ack, @Nullable Integer from, @Nullable Long ttlMillis) {

  public static final String PATH = "/v0/entity";
  // Far above any sensible time to live.
  private static final long CENTURY_MILLIS = 3_200_000_000_000L;

  /** Returns whether a request's URI has the path of a key. */
  public static boolean matches(String uri) {
    return RequestTarget.isFor(PATH, uri);
  }

  /**
   * Parses the parameters of a matching URI.
   *
   * @throws BadRequestException if a parameter is missing, repeated, unknown or out of range
   */
  public static EntityQuery parse(String uri) throws BadRequestException {
    Key key = null;
    Integer ack = null;
    Integer from = null;
    Long ttl = null;
    RequestTarget target = new RequestTarget(PATH, uri);
    while (target.next()) {
      switch (target.name()) {
        case "id" -> key = target.once(key, target.key("missing-id"));
        case "ack" -> ack = target.once(ack, number(target));
        case "from" -> from = target.once(from, number(target));
        case "ttl" -> ttl = target.once(ttl, ttl(target));
        default ->
            throw new BadRequestException(
                "unknown-parameter",
                "'"
                    + target.name()
                    + "' is not a parameter; the parameters are id, ack, from and ttl");
      }
    }
    if (key == null) {
      throw new BadRequestException("missing-id", "missing key: " + PATH + "?id=KEY");
    }
    return new EntityQuery(key, ack, from, ttl);
  }

  private static long ttl(RequestTarget target) throws BadRequestException {
    long ttl = target.number(Long.MIN_VALUE, CENTURY_MILLIS);
    if (ttl <= 0) {
      throw new BadRequestException(
          "invalid-ttl", "ttl is " + ttl + "; it must be at least 1 millisecond");
    }
    return ttl;
  }

  private static int number(RequestTarget target) throws BadRequestException {
    return (int) target.number(Integer.MIN_VALUE, Integer.MAX_VALUE);
  }
}
