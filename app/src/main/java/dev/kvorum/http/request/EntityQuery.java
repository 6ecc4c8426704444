package dev.kvorum.http.request;

import dev.kvorum.coordinator.Quorum;
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
  public static final String EXPLAIN_PATH = "/v0/explain";
  // Far above any sensible time to live.
  private static final long CENTURY_MILLIS = 3_200_000_000_000L;

  /** Returns whether a request's URI has the path of a key. */
  public static boolean matches(String uri) {
    return RequestTarget.isFor(PATH, uri);
  }

  /** Returns whether a request's URI has the path that explains a key. */
  public static boolean isToExplain(String uri) {
    return RequestTarget.isFor(EXPLAIN_PATH, uri);
  }

  /** Parses the parameters of a URI that {@link #matches}; otherwise like the other one. */
  public static EntityQuery parse(String uri) throws BadRequestException {
    return parse(PATH, uri);
  }

  /**
   * Parses the parameters of a URI with this path.
   *
   * @throws BadRequestException if a parameter is missing, repeated, unknown or out of range
   */
  public static EntityQuery parse(String path, String uri) throws BadRequestException {
    Key key = null;
    Integer ack = null;
    Integer from = null;
    Long ttl = null;
    RequestTarget target = new RequestTarget(path, uri);
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
      throw new BadRequestException("missing-id", "missing key: " + path + "?id=KEY");
    }
    return new EntityQuery(key, ack, from, ttl);
  }

  /**
   * The quorum that the parameters and the cluster determine.
   *
   * @param replication default for {@code from}
   * @param members how many members may keep a copy now
   */
  public Quorum quorum(int replication, int members) throws BadRequestException {
    try {
      return Quorum.of(ack, from, replication, members);
    } catch (IllegalArgumentException e) {
      throw new BadRequestException("invalid-quorum", String.valueOf(e.getMessage()));
    }
  }

  /** Rejects a request other than PUT that has a time to live. */
  public void rejectTtl() throws BadRequestException {
    if (ttlMillis != null) {
      throw new BadRequestException("invalid-ttl", "ttl is allowed with PUT only");
    }
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
