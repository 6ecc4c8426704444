package dev.kvorum.repair;

import dev.kvorum.background.Ground;
import dev.kvorum.data.Version;
import dev.kvorum.placement.Slots;
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
 * the others as a slot's copy takes ({@link CopyTracker}) is above all that was forgotten of it.
 *
 * <p>Lives on one event loop; over once it is found for all slots.
 */
final class WriteFloor {
  private static final long PAUSE_MILLIS = 200;

  private final Ground ground;
  private final Wholeness wholeness;
  private final SyncRequest.AskStatus question;
  private final CopyTracker heardFrom;
  private Version floor = Version.NONE;
  private boolean over;

  WriteFloor(Ground ground, Wholeness wholeness, SyncRequest.AskStatus question) {
    this.ground = ground;
    this.wholeness = wholeness;
    this.question = question;
    this.heardFrom = new CopyTracker(ground.layouts().get().readMaps(), ground.self());
  }

  /** Goes on from what was heard already since this member lost what it had. */
  void start(Map<MemberId, Status> heard) {
    on(heard);
  }

  void stop() {
    over = true;
  }

  private void on(Map<MemberId, Status> heard) {
    if (over) {
      return;
    }
    heard.forEach((peer, status) -> {
      heardFrom.completed(peer, status.blank() || status.rebuilding());
      Version clock = new Version(status.clock(), -1);
      floor = clock.isNewerThan(floor) ? clock : floor;
    });
    wholeness.acknowledgeAbove(floor, heardFrom.back());
    if (wholeness.slotsAcknowledged() < Slots.COUNT) {
      ground
          .loop()
          .schedule(
              () -> StatusRound.ask(ground, ground.peers().get(), question, this::on),
              PAUSE_MILLIS,
              TimeUnit.MILLISECONDS);
    }
  }
}
