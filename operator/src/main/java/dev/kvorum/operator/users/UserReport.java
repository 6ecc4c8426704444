package dev.kvorum.operator.users;

import dev.kvorum.operator.api.Conditions;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.KvorumUserStatus;
import dev.kvorum.operator.api.UserReason;
import dev.kvorum.operator.resources.Topologies;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Derives a user's status. The same input gives the same status. */
final class UserReport {
  private UserReport() {}

  /** Returns the user with its next status; empty if that is the one that it has. */
  static Optional<KvorumUser> of(KvorumUser user, UserNotice why, Instant now) {
    Long generation = user.getMetadata().getGeneration();
    KvorumUserStatus status =
        new KvorumUserStatus(
            generation,
            TokenSecrets.name(user).orElse(null),
            List.of(
                Conditions.next(
                        user.known().conditions(),
                        "Ready",
                        why.reason() == UserReason.IN_EFFECT,
                        why.reason().label(),
                        why.message(),
                        now)
                    .withObservedGeneration(generation)
                    .build()));
    if (status.equals(user.known())) {
      return Optional.empty();
    }
    KvorumUser next = Topologies.copy(user);
    next.setStatus(status);
    return Optional.of(next);
  }
}
