package dev.kvorum.repair.rebuild;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.topology.Founding;
import dev.kvorum.topology.MemberId;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A founded cluster in which a majority of the members has no data: their disks were lost or
 * replaced, and only the remaining members can have acknowledged records. Confined to one event
 * loop.
 */
final class LostDisks {
  private static final Logger log = LoggerFactory.getLogger(LostDisks.class);
  private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final BackgroundContext context;
  private final Founding founding;
  private long nextLogNanos;

  LostDisks(BackgroundContext context, Founding founding) {
    this.context = context;
    this.founding = founding;
    this.nextLogNanos = context.nanoTime().getAsLong();
  }

  boolean isClusterFounded() {
    return founding.isFounded(context.layouts().get().epoch());
  }

  /** Logs, once a minute, which members are missing and what to do. */
  void waitFor(Set<MemberId> blank) {
    assert context.isOnLoop();
    long now = context.nanoTime().getAsLong();
    if (now - nextLogNanos < 0) {
      return;
    }
    nextLogNanos = now + LOG_NANOS;
    String missing =
        context.peers().get().stream()
            .filter(peer -> !blank.contains(peer))
            .map(MemberId::name)
            .collect(Collectors.joining(", "));
    log.error(
        "This member and {} have no data, but this cluster was founded before: their disks were"
            + " lost or replaced. It is not founded again and waits for a member with data (no"
            + " reply from: {}). Where all disks are gone, see \"A majority of disks is lost\""
            + " in"
            + " docs/operations.md: DELETE /actuator/kvorum/lost-disks on one member accepts the"
            + " loss of all records",
        blank,
        missing.isEmpty() ? "none" : missing);
  }
}
