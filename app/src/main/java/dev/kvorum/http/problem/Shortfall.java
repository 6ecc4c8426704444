package dev.kvorum.http.problem;

import dev.kvorum.coordinator.Quorum;
import dev.kvorum.coordinator.ReplicaOutcome;
import dev.kvorum.data.RejectReason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Why a quorum was not reached, in words: {@code 2 of 3 members are unreachable; 2 confirmations
 * needed, 1 received}.
 */
public final class Shortfall {
  private static final String NOT_ASKED = "not-asked";
  private static final String PENDING = "pending";

  private Shortfall() {}

  /** Describes the outcomes of all replicas of a request that reached no quorum. */
  public static String of(Quorum quorum, List<ReplicaOutcome> replies) {
    long received = replies.stream().filter(ReplicaOutcome::isConfirmation).count();
    List<ReplicaOutcome> open =
        replies.stream().filter(reply -> reply.label().equals(PENDING)).toList();
    // Too many others had failed by then: nobody waited for these.
    boolean early = !open.isEmpty() && received + open.size() < quorum.ack();
    String needed =
        quorum.ack() == 1 ? "1 confirmation needed" : quorum.ack() + " confirmations needed";
    // During a change of members a key has two sets of replicas.
    String each = received >= quorum.ack() ? " of the old and of the new members" : "";
    return withoutConfirmation(replies, early ? PENDING : NOT_ASKED)
            .map(missing -> missing + "; ")
            .orElse("")
        + needed
        + each
        + ", "
        + received
        + " received"
        + (early ? " and " + open.size() + " under way" : "");
  }

  /** The members that confirmed nothing, by reason; empty if all did. */
  static Optional<String> withoutConfirmation(List<ReplicaOutcome> replies) {
    return withoutConfirmation(replies, NOT_ASKED);
  }

  private static Optional<String> withoutConfirmation(
      List<ReplicaOutcome> replies, String notAwaited) {
    Map<String, Integer> counts = new TreeMap<>();
    replies.stream()
        .filter(reply -> !reply.isConfirmation())
        .filter(reply -> !reply.label().equals(NOT_ASKED) && !reply.label().equals(notAwaited))
        .forEach(reply -> counts.merge(reason(reply.label()), 1, Integer::sum));
    if (counts.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        counts.entrySet().stream()
            .map(entry -> inWords(entry.getValue(), replies.size(), entry.getKey()))
            .collect(Collectors.joining(", ")));
  }

  private static String inWords(int count, int all, String reason) {
    return inWords(count + " of " + all + (all == 1 ? " member" : " members"), count, reason);
  }

  /** Describes the outcome of a replica that confirmed nothing: {@code n1 is unreachable}. */
  public static String of(ReplicaOutcome reply) {
    return inWords(reply.replica().name(), 1, reason(reply.label()));
  }

  private static String inWords(String members, int count, String reason) {
    return reason.equals(RejectReason.UNREACHABLE.label())
        ? members + (count == 1 ? " is unreachable" : " are unreachable")
        : members + reason;
  }

  private static String reason(String label) {
    if (label.equals(RejectReason.UNREACHABLE.label())) {
      return label;
    }
    boolean late = label.equals(PENDING) || label.equals(RejectReason.TIMED_OUT.label());
    return late ? " did not respond in time" : " responded " + label;
  }
}
