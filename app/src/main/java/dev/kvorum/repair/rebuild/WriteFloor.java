package dev.kvorum.repair.rebuild;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.Version;
import dev.kvorum.placement.Slots;
import dev.kvorum.repair.state.StatusRound;
import dev.kvorum.replica.RepairReply.Status;
import dev.kvorum.replica.RepairRequest;
import dev.kvorum.topology.MemberId;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Finds the version above which an emptied member may acknowledge writes again. The member has lost
 * the versions that it stored: a write below one of them, from a clock that is behind, would be
 * acknowledged and never read. A write that it helped to acknowledge is still on half of the
 * record's replicas, and none of their clocks is behind that write. So the newest clock among as
 * many peers as a slot's rebuild needs ({@link SlotRecovery}) is above every version that was lost.
 *
 * <p>A clock that was once wrong may have left a peer with stamps from the future. No version above
 * them can be given, so this peer is left out until their time has come.
 *
 * <p>Confined to one event loop; ends once the floor is known for all slots.
 */
final class WriteFloor {
  private static final long PAUSE_MILLIS = 200;

  private final BackgroundContext context;
  private final VotingState votingState;
  private final RepairRequest.AskStatus question;
  private final SlotRecovery reported;
  private Version floor = Version.NONE;
  private boolean over;

  WriteFloor(BackgroundContext context, VotingState votingState, RepairRequest.AskStatus question) {
    this.context = context;
    this.votingState = votingState;
    this.question = question;
    this.reported = new SlotRecovery(context.layouts().get().readMaps(), context.self());
  }

  /** Starts from replies that were received after the records were lost. */
  void start(Map<MemberId, Status> statuses) {
    assert context.isOnLoop();
    on(statuses);
  }

  void stop() {
    assert context.isOnLoop();
    over = true;
  }

  private void on(Map<MemberId, Status> statuses) {
    assert context.isOnLoop();
    if (over) {
      return;
    }
    statuses.forEach((peer, status) -> {
      Version clock = new Version(status.clock(), -1);
      if (!context.clock().isTooFarAhead(clock)) {
        reported.completed(peer, status.blank() || status.rebuilding());
        floor = clock.isNewerThan(floor) ? clock : floor;
      }
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
