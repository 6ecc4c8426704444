package dev.kvorum.repair;

import dev.kvorum.background.Adoption;
import dev.kvorum.background.Ground;
import dev.kvorum.background.Pace;
import dev.kvorum.background.Patience;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.SyncReply;
import dev.kvorum.replica.SyncRequest;
import dev.kvorum.topology.MemberId;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * One member's making itself equal to one other, at one cut: ask where it stands, compare trees,
 * fetch what differs, remember that it is done, say so. Whatever breaks it costs nothing but a new
 * beginning. Lives on one event loop.
 */
final class Pull {
  /** Parts of trees in one request: with their digests, 32 KB. */
  static final int PARTS_MAX = 512;

  private static final int CUTS_MAX = 5;

  private final Ground ground;
  private final RepairSettings settings;
  private final RepairMarks marks;
  private final Pace pace;
  private final Trees trees;
  private final TombstoneReaper reaper;
  private final Adoption adoption;
  private final Dropped dropped;
  private final MemberId peer;
  private final Consumer<End> done;
  private volatile State state = State.ASKING;
  private long cut;
  private long life;
  private int cuts;
  private boolean over;

  /** How far a pull has come. */
  enum State {
    ASKING,
    BUILDING_TREES,
    COMPARING,
    FETCHING,
    CONFIRMING
  }

  /** How a pull ended. */
  sealed interface End {
    /** This member has all that the other one had at the cut. */
    record Completed(long cut) implements End {}

    /** It is to be tried again later. */
    record Failed(String reason) implements End {}

    /** The other one has removed tombstones that this member never saw. */
    record MissedRemovals() implements End {}
  }

  Pull(
      Ground ground,
      RepairSettings settings,
      RepairMarks marks,
      Pace pace,
      Trees trees,
      TombstoneReaper reaper,
      Adoption adoption,
      Dropped dropped,
      MemberId peer,
      Consumer<End> done) {
    this.ground = ground;
    this.settings = settings;
    this.marks = marks;
    this.pace = pace;
    this.trees = trees;
    this.reaper = reaper;
    this.adoption = adoption;
    this.dropped = dropped;
    this.peer = peer;
    this.done = done;
  }

  MemberId peer() {
    return peer;
  }

  State state() {
    return state;
  }

  void start(long firstCut) {
    askStatus(() -> at(firstCut));
  }

  /** Ends it without a word. */
  void stop() {
    over = true;
  }

  private void end(End how) {
    if (!over) {
      over = true;
      done.accept(how);
    }
  }

  /** Whether a member has removed what another one, which pulled up to a stamp, has never seen. */
  static boolean hasMissed(SyncReply.Status status, long pulledUpTo) {
    return status.wentOnWithout() || (!status.rebuilding() && status.removedUpTo() > pulledUpTo);
  }

  private void askStatus(Runnable then) {
    Patience.ask(
        ground,
        peer,
        Rebuild.question(ground, marks),
        settings.timeout(),
        (reply, patience) -> {
          if (over) {
            return;
          }
          if (reply instanceof SyncReply.Status status) {
            if (status.rebuilding()) {
              end(new End.Failed("it is rebuilding"));
            } else if (hasMissed(status, marks.pulledOnce(peer))) {
              end(new End.MissedRemovals());
            } else if (reaper.hasGoneOnWithout(peer, status.life())) {
              end(new End.Failed("it may hold what was deleted and has to begin anew"));
            } else {
              life = status.life();
              // It answers reads, however late it compares itself.
              reaper.heard(peer);
              then.run();
            }
          } else {
            end(failed(reply));
          }
        });
  }

  private static End failed(ReplicaReply reply) {
    return new End.Failed(
        reply instanceof ReplicaReply.Failed refused ? refused.reason().word() : "a wrong reply");
  }

  private void at(long wantedCut) {
    if (++cuts > CUTS_MAX) {
      end(new End.Failed("cuts do not meet"));
      return;
    }
    state = State.BUILDING_TREES;
    trees.whenAt(
        wantedCut,
        built -> {
          if (!over) {
            cut = built.cut();
            state = State.COMPARING;
            new Comparison(ground, settings, built, peer, () -> over, how -> compared(built, how))
                .start();
          }
        });
  }

  private void compared(MerkleTrees built, Comparison.End how) {
    if (over) {
      return;
    }
    switch (how) {
      case Comparison.End.Elsewhere elsewhere -> {
        OptionalLong now = ground.majorityMillis();
        if (now.isEmpty() || elsewhere.cut() > Coverage.stamp(now.getAsLong())) {
          end(new End.Failed("its cut lies in the future"));
        } else {
          at(Math.max(cut, elsewhere.cut()));
        }
      }
      case Comparison.End.Broken broken -> end(failed(broken.reply()));
      case Comparison.End.Differing differing -> {
        state = State.FETCHING;
        if (differing.parts().length == 0) {
          confirm();
        } else {
          RecordMending records =
              new RecordMending(
                  ground,
                  settings.timeout(),
                  adoption,
                  dropped,
                  reaper,
                  peer,
                  built,
                  this::isInVain);
          new Mending(ground, settings, pace, peer, built, differing, records, this::mended)
              .start();
        }
      }
    }
  }

  /**
   * A tombstone that goes amid this leaves a mark first, and then what it deleted must not come.
   */
  private boolean isInVain() {
    return over || reaper.hasGoneOnWithout(peer, life);
  }

  private void mended(boolean all) {
    if (!over) {
      if (all) {
        confirm();
      } else {
        end(new End.Failed("not all could be fetched"));
      }
    }
  }

  /** Asks once more: what was removed while this pull went on may not have been there to see. */
  private void confirm() {
    state = State.CONFIRMING;
    askStatus(() ->
        marks.keep(
            RepairMarks.pulledName(peer),
            Math.max(cut, marks.pulled(peer)),
            kept -> {
              if (kept && !over) {
                tell();
              } else {
                end(new End.Failed("the store takes no marks"));
              }
            }));
  }

  private void tell() {
    Patience.ask(
        ground,
        peer,
        new SyncRequest.Pulled(ground.self(), cut),
        settings.timeout(),
        (reply, patience) -> end(new End.Completed(cut)));
  }
}
