package dev.kvorum.repair.rebuild;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.Version;
import dev.kvorum.placement.Slots;
import dev.kvorum.repair.state.StatusRound;
import dev.kvorum.replica.SyncReply.Status;
import dev.kvorum.replica.SyncRequest;
import dev.kvorum.topology.MemberId;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The search for the version above which an emptied member may acknowledge writes again. It has
 * forgotten which versions it met; a write below one of them, from a clock that is behind, would be
 * acknowledged and never seen. What was acknowledged with its help is still with half of a record's
 * replicas, and none of those has a clock that is behind it: so the newest clock among as many of
 * the others as a slot's copy takes ({@link SlotRecovery}) is above all that was forgotten of it.
 *
 * <p>Lives on one event loop; over once it is found for all slots.
 */
final class WriteFloor {
  private static final long PAUSE_MILLIS = 200;

  private final BackgroundContext context;
  private final VotingState votingState;
  private final SyncRequest.AskStatus question;
  private final SlotRecovery reported;
  private Version floor = Version.NONE;
  private boolean over;

  WriteFloor(BackgroundContext context, VotingState votingState, SyncRequest.AskStatus question) {
    this.context = context;
    this.votingState = votingState;
    this.question = question;
    this.reported = new SlotRecovery(context.layouts().get().readMaps(), context.self());
  }

  /** Starts from the replies received since this member lost its records. */
  void start(Map<MemberId, Status> statuses) {
    on(statuses);
  }

  void stop() {
    over = true;
  }

  private void on(Map<MemberId, Status> statuses) {
    if (over) {
      return;
    }
    statuses.forEach((peer, status) -> {
      reported.completed(peer, status.blank() || status.rebuilding());
      Version clock = new Version(status.clock(), -1);
      floor = clock.isNewerThan(floor) ? clock : floor;
    });
    votingState.acknowledgeAbove(floor, reported.back());
    if (votingState.slotsAcknowledged() < Slots.COUNT) {
      context
          .loop()
          .schedule(
              () -> StatusRound.ask(context, context.peers().get(), question, this::on),
              PAUSE_MILLIS,
              TimeUnit.MILLISECONDS);
    }
  }
}
