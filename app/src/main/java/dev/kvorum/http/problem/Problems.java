package dev.kvorum.http.problem;

import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReplicaOutcome;
import dev.kvorum.data.RejectReason;
import java.util.List;

/** The table of error responses: maps outcomes to status and problem type. */
public final class Problems {
  public static final Problem NOT_FOUND =
      Problem.of(404, "not-found", "No such key", "no replica that responded has a value for it");

  public static final Problem UNKNOWN_PATH =
      Problem.of(
          400,
          "unknown-path",
          "Unknown path",
          "unknown path; the API is /v0/entity?id=KEY, /v0/entities?prefix=TEXT and"
              + " /v0/explain?id=KEY");

  public static final Problem UNAUTHENTICATED =
      Problem.of(
          401,
          "unauthenticated",
          "Credentials needed",
          "this needs a user: send Authorization: Bearer TOKEN; nothing was done");

  public static final Problem WRONG_CREDENTIALS =
      Problem.of(
          401,
          "unauthenticated",
          "Unknown credentials",
          "no user has this token, or it has expired; Authorization must be given once, as Bearer"
              + " TOKEN; nothing was done");

  public static final Problem UNCHECKED_CREDENTIALS =
      Problem.of(
          503,
          "unchecked-credentials",
          "Credentials not checked",
          "the API server did not say whether this token of a ServiceAccount is genuine; nothing"
              + " was done");

  public static final Problem TOO_MANY_FAILURES =
      Problem.of(
          429,
          "too-many-failures",
          "Too many wrong credentials",
          "too many requests from this address had wrong credentials (kvorum.auth.failures-rate);"
              + " these were not looked at, try again later");

  public static final Problem USER_REQUESTS =
      userLimit(
          "this user sends more requests per second than its limits allow on this node"
              + " (requestsPerSecond)");

  public static final Problem USER_BYTES =
      userLimit(
          "the values of this user's requests in flight have more bytes than its limits allow on"
              + " this node (bytesInFlight)");

  static final Problem OVERLOADED =
      Problem.of(
          503,
          RejectReason.OVERLOADED.label(),
          "Overloaded",
          "too many requests in flight; nothing was done, try again later");

  public static final Problem STOPPING =
      Problem.of(
          503,
          RejectReason.OVERLOADED.label(),
          "Stopping",
          "this node is stopping; nothing was done, try again on a new connection");

  private static final Problem EXPIRED =
      Problem.of(
          503,
          RejectReason.OVERLOADED.label(),
          "Overloaded",
          "the request waited too long before it was processed; nothing was done, try again");

  public static final Problem METHOD_NOT_ALLOWED =
      Problem.of(
          405, "method-not-allowed", "Method not allowed", "use PUT, GET, HEAD or DELETE here");

  public static final Problem READ_ONLY =
      Problem.of(405, "method-not-allowed", "Method not allowed", "use GET or HEAD here");

  public static final Problem NOT_ACCEPTABLE =
      Problem.of(
          406,
          "not-acceptable",
          "Not acceptable",
          "a range comes as application/x-ndjson or application/octet-stream; name one of them in"
              + " Accept, or use format=ndjson or format=chunks");

  public static final Problem REVERSE_NOT_ACTIVE =
      Problem.of(
          501,
          "feature-not-active",
          "Feature not active",
          "reverse=true needs the feature reverse-scan, which is not active: a member runs a"
              + " release without it, or it is held back");

  public static final Problem BODY_TIMED_OUT =
      Problem.of(
          408,
          "body-timed-out",
          "Value not received",
          "the value did not arrive in time (kvorum.limits.body-timeout); nothing was stored");

  public static final Problem UNKNOWN_CODING =
      Problem.of(
          400,
          "malformed-request",
          "Malformed request",
          "the only supported Transfer-Encoding is 'chunked'");

  public static final Problem NO_HOST =
      Problem.of(
          400,
          "malformed-request",
          "Malformed request",
          "HTTP/1.1 requires exactly one Host header");

  public static final Problem MALFORMED_REQUEST =
      Problem.of(400, "malformed-request", "Malformed request", "this is not HTTP/1.1");

  public static final Problem TLS_REQUIRED =
      Problem.of(
          400,
          "tls-required",
          "TLS required",
          "this port speaks TLS only: use https; nothing was done");

  public static final Problem URI_TOO_LONG =
      Problem.of(
          414, "uri-too-long", "Request line too long", "a key of 1024 bytes needs 3 KiB at most");

  public static final Problem HEADER_TOO_LARGE =
      Problem.of(
          431,
          "header-too-large",
          "Header too large",
          "no request here needs headers of that size");

  private static final Problem CLOCK_AHEAD =
      Problem.of(
          503,
          RejectReason.CLOCK_AHEAD.label(),
          "Clock out of bounds",
          "the clock of this node differs too much from its peers' clocks; nothing was stored,"
              + " try again");

  private static final Problem CLOCK_NOT_READY =
      Problem.of(
          503,
          RejectReason.CLOCK_NOT_READY.label(),
          "Clock not ready",
          "this node is starting and waits for its peers' clocks, or its disk does not"
              + " record the progress of its clock in time; nothing was stored, try again");

  static final Problem FENCED =
      Problem.of(
          503,
          RejectReason.FENCED.label(),
          "Fenced",
          "another process of this member is running; nothing was done, use another member");

  public static final Problem RESTORING =
      Problem.of(
          503,
          "restoring",
          "Restoring",
          "a backup is being restored into this cluster; nothing was done, try again once it is");

  private static final Problem FAILED =
      Problem.of(500, "internal-error", "Internal error", "see the log of the node");

  private Problems() {}

  public static Problem badRequest(BadRequestException mistake) {
    return Problem.of(400, mistake.problem(), "Bad request", mistake.detail());
  }

  private static Problem userLimit(String reason) {
    return Problem.of(
        429, "user-limit", "Limit of the user", reason + "; nothing was done, try again later");
  }

  /** What a user may not do with these keys. */
  public static Problem notAllowed(String user, String verb) {
    return Problem.of(
        403,
        "not-allowed",
        "Not allowed",
        "no rule lets '"
            + user
            + "' "
            + verb
            + (verb.equals("range") ? " over all of these keys" : " this key")
            + "; nothing was done");
  }

  public static Problem tooLarge(long bytesMax) {
    return Problem.of(
        413,
        "value-too-large",
        "Value too large",
        "a value has at most " + bytesMax + " bytes (kvorum.limits.value-max); nothing was stored");
  }

  /** A PUT on a node with so little free space. */
  public static Problem diskFull(long freeBytes, long freeBytesMin) {
    return Problem.of(
        507,
        RejectReason.DISK_FULL.label(),
        "Disk nearly full",
        "the disk of this node has "
            + (freeBytes >> 20)
            + " MB free, and PUT is rejected below "
            + (freeBytesMin >> 20)
            + " MB (kvorum.storage.disk-free-min); nothing was stored, reads and deletes are served");
  }

  public static Problem noQuorum(Quorum quorum, List<ReplicaOutcome> replies, boolean write) {
    String shortfall = Shortfall.of(quorum, replies);
    boolean found = replies.stream().anyMatch(reply -> reply.label().equals("found"));
    String detail =
        write
            ? shortfall + "; the write may or may not be stored"
            : found
                ? shortfall + "; the others may have a newer value or a deletion"
                : shortfall + "; whether the key exists is unknown";
    return Problem.of(504, "quorum-not-reached", "Quorum not reached", detail, replies);
  }

  public static Problem incomplete(List<ReplicaOutcome> replies) {
    return Problem.of(
        504,
        "quorum-not-reached",
        "Quorum not reached",
        Shortfall.withoutConfirmation(replies).map(missing -> missing + ": ").orElse("")
            + "too few members responded to determine the keys and their newest versions",
        replies);
  }

  public static Problem rejected(RejectReason reason) {
    return switch (reason) {
      case CLOCK_AHEAD -> CLOCK_AHEAD;
      case CLOCK_NOT_READY -> CLOCK_NOT_READY;
      case OVERLOADED, NOT_READY -> OVERLOADED;
      case EXPIRED -> EXPIRED;
      case FENCED -> FENCED;
      // A full disk rejects only writes, whose problem names its free space: diskFull.
      case DISK_FULL,
          STORAGE_FAILED,
          STALE_EPOCH,
          UNREACHABLE,
          TIMED_OUT,
          REBUILDING,
          TOO_OLD,
          DATA_LOST,
          CHECKSUM_MISMATCH ->
          FAILED;
    };
  }

  public static Problem failed() {
    return FAILED;
  }
}
