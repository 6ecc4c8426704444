package dev.kvorum.http;

import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReplicaAnswer;
import dev.kvorum.data.Refusal;
import java.util.List;

/** The table of error answers: which outcome is which status and problem. */
final class Outcomes {
  static final Problem NOT_FOUND =
      Problem.of(404, "not-found", "No such key", "no replica that answered has a value for it");

  static final Problem UNKNOWN_PATH =
      Problem.of(
          400,
          "unknown-path",
          "Unknown path",
          "there is nothing at this path; the API is /v0/entity?id=KEY and /v0/entities?start=KEY");

  static final Problem OVERLOADED =
      Problem.of(
          503,
          Refusal.OVERLOADED.word(),
          "Overloaded",
          "too much is under way; nothing was done, try again later");

  static final Problem STOPPING =
      Problem.of(
          503,
          Refusal.OVERLOADED.word(),
          "Stopping",
          "this node is stopping; nothing was done, try again on a new connection");

  private static final Problem EXPIRED =
      Problem.of(
          503,
          Refusal.OVERLOADED.word(),
          "Overloaded",
          "the request had waited too long when its turn came; nothing was done, try again");

  static final Problem METHOD_NOT_ALLOWED =
      Problem.of(
          405, "method-not-allowed", "Method not allowed", "use PUT, GET, HEAD or DELETE here");

  static final Problem RANGES_ARE_READ_ONLY =
      Problem.of(405, "method-not-allowed", "Method not allowed", "use GET or HEAD here");

  static final Problem BODY_TIMED_OUT =
      Problem.of(
          408,
          "body-timed-out",
          "Value not received",
          "the value did not come in time (kvorum.limits.body-timeout); nothing was stored");

  static final Problem UNKNOWN_CODING =
      Problem.of(
          400,
          "malformed-request",
          "Malformed request",
          "of Transfer-Encoding only 'chunked' is understood");

  static final Problem NO_HOST =
      Problem.of(
          400, "malformed-request", "Malformed request", "HTTP/1.1 asks for one Host header");

  static final Problem MALFORMED_REQUEST =
      Problem.of(400, "malformed-request", "Malformed request", "this is not HTTP/1.1");

  static final Problem URI_TOO_LONG =
      Problem.of(
          414, "uri-too-long", "Request line too long", "a key of 1024 bytes needs 3 KiB at most");

  static final Problem HEADER_TOO_LARGE =
      Problem.of(431, "header-too-large", "Header too large", "nothing here needs that much");

  private static final Problem DISK_FULL =
      Problem.of(
          507,
          Refusal.DISK_FULL.word(),
          "Disk nearly full",
          "this node takes no more values until there is room; reads and deletes are served");

  private static final Problem CLOCK_AHEAD =
      Problem.of(
          503,
          Refusal.CLOCK_AHEAD.word(),
          "Clock out of bounds",
          "this node's clock differs too much from the others'; nothing was stored, try again");

  static final Problem FENCED =
      Problem.of(
          503,
          Refusal.FENCED.word(),
          "Fenced",
          "another process of this member runs; nothing was done, ask another member");

  private static final Problem FAILED =
      Problem.of(500, "internal-error", "Internal error", "the node's log says more");

  private Outcomes() {}

  static Problem badRequest(BadRequestException mistake) {
    return Problem.of(400, mistake.problem(), "Bad request", mistake.detail());
  }

  static Problem tooLarge(long bytesMax) {
    return Problem.of(
        413,
        "value-too-large",
        "Value too large",
        "a value has at most " + bytesMax + " bytes (kvorum.limits.value-max); nothing was stored");
  }

  static Problem noQuorum(Quorum quorum, List<ReplicaAnswer> answers, boolean write) {
    String counts =
        "fewer than " + quorum.ack() + " of " + quorum.from() + " replicas confirmed in time";
    String detail =
        write ? counts + "; the write may or may not be stored" : counts + "; the key is not known";
    return Problem.of(504, "quorum-not-reached", "Quorum not reached", detail, answers);
  }

  static Problem incomplete(List<ReplicaAnswer> answers) {
    return Problem.of(
        504,
        "quorum-not-reached",
        "Quorum not reached",
        "too few members answer to know which keys there are, or what is newest",
        answers);
  }

  static Problem rejected(Refusal reason) {
    return switch (reason) {
      case DISK_FULL -> DISK_FULL;
      case CLOCK_AHEAD -> CLOCK_AHEAD;
      case OVERLOADED, NOT_READY -> OVERLOADED;
      case EXPIRED -> EXPIRED;
      case FENCED -> FENCED;
      case STORAGE_FAILED,
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

  static Problem failed() {
    return FAILED;
  }
}
