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
final class Shortfall {
  private static final String NOT_ASKED = "not-asked";

  private Shortfall() {}

  static String of(Quorum quorum, List<ReplicaOutcome> answers) {
    long received = answers.stream().filter(ReplicaOutcome::isConfirmation).count();
    String needed =
        quorum.ack() == 1 ? "1 confirmation needed" : quorum.ack() + " confirmations needed";
    // During a change of members a key has two sets of replicas.
    String each = received >= quorum.ack() ? " of the old and of the new members" : "";
    return withoutConfirmation(answers).map(missing -> missing + "; ").orElse("")
        + needed
        + each
        + ", "
        + received
        + " received";
  }

  /** The members that confirmed nothing, by reason; empty if all did. */
  static Optional<String> withoutConfirmation(List<ReplicaOutcome> answers) {
    Map<String, Integer> counts = new TreeMap<>();
    answers.stream()
        .filter(answer -> !answer.isConfirmation() && !answer.label().equals(NOT_ASKED))
        .forEach(answer -> counts.merge(reason(answer.label()), 1, Integer::sum));
    if (counts.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        counts.entrySet().stream()
            .map(entry -> inWords(entry.getValue(), answers.size(), entry.getKey()))
            .collect(Collectors.joining(", ")));
  }

  private static String inWords(int count, int all, String reason) {
    String members = count + " of " + all + (all == 1 ? " member" : " members");
    return reason.equals(RejectReason.UNREACHABLE.label())
        ? members + (count == 1 ? " is unreachable" : " are unreachable")
        : members + reason;
  }

  private static String reason(String label) {
    if (label.equals(RejectReason.UNREACHABLE.label())) {
      return label;
    }
    boolean late = label.equals("pending") || label.equals(RejectReason.TIMED_OUT.label());
    return late ? " did not respond in time" : " responded " + label;
  }
}
