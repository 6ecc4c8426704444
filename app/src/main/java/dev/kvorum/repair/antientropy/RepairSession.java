package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BackgroundRateLimiter;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.data.Version;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.SyncReply;
import dev.kvorum.replica.SyncRequest;
import dev.kvorum.topology.MemberId;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Makes one member equal to one other, at one cut: asks for its status, compares trees, fetches
 * what differs, records and reports completion. After a failure it starts again. Lives on one event
 * loop.
 */
public final class RepairSession {
  /** Parts of trees in one request: with their digests, 32 KB. */
  static final int PARTS_MAX = 512;

  private static final int CUTS_MAX = 5;

  private final BackgroundContext context;
  private final RepairSettings settings;
  private final RepairMarks marks;
  private final BackgroundRateLimiter rateLimiter;
  private final MerkleTreeCache trees;
  private final TombstoneReaper reaper;
  private final StreamReceiver receiver;
  private final DroppedRecords dropped;
  private final MemberId peer;
  private final Consumer<End> done;
  private volatile State state = State.ASKING;
  private long cut;
  private long life;
  private int cuts;
  private boolean over;

  /** How far a pull has come. */
  public enum State {
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

  RepairSession(
      BackgroundContext context,
      RepairSettings settings,
      RepairMarks marks,
      BackgroundRateLimiter rateLimiter,
      MerkleTreeCache trees,
      TombstoneReaper reaper,
      StreamReceiver receiver,
      DroppedRecords dropped,
      MemberId peer,
      Consumer<End> done) {
    this.context = context;
    this.settings = settings;
    this.marks = marks;
    this.rateLimiter = rateLimiter;
    this.trees = trees;
    this.reaper = reaper;
    this.receiver = receiver;
    this.dropped = dropped;
    this.peer = peer;
    this.done = done;
  }

  public MemberId peer() {
    return peer;
  }

  public State state() {
    return state;
  }

  void start(long firstCut) {
    askStatus(() -> at(firstCut));
  }

  /** Ends it without a result. */
  void stop() {
    over = true;
  }

  private void end(End how) {
    if (!over) {
      over = true;
      done.accept(how);
    }
  }

  private void askStatus(Runnable then) {
    ReplyDeadline.ask(
        context,
        peer,
        marks.statusRequest(context.self()),
        settings.timeout(),
        (reply, replyDeadline) -> {
          if (over) {
            return;
          }
          if (reply instanceof SyncReply.Status status) {
            if (status.rebuilding()) {
              end(new End.Failed("it is rebuilding"));
            } else if (status.hasRemovedSince(marks.pulledOnce(peer))) {
              end(new End.MissedRemovals());
            } else if (reaper.hasGoneOnWithout(peer, status.life())) {
              end(new End.Failed("it may have deleted records and has to reset its store"));
            } else {
              life = status.life();
              // It answers reads, however late it compares itself.
              reaper.contacted(peer);
              then.run();
            }
          } else {
            end(failed(reply));
          }
        });
  }

  private static End failed(ReplicaReply reply) {
    return new End.Failed(
        reply instanceof ReplicaReply.Failed refused
            ? refused.reason().label()
            : "an unexpected reply");
  }

  private void at(long wantedCut) {
    if (++cuts > CUTS_MAX) {
      end(new End.Failed("the cuts do not match"));
      return;
    }
    state = State.BUILDING_TREES;
    trees.whenAt(
        wantedCut,
        built -> {
          if (!over) {
            cut = built.cut();
            state = State.COMPARING;
            new TreeComparison(
                    context, settings, built, peer, () -> over, how -> compared(built, how))
                .start();
          }
        });
  }

  private void compared(MerkleTrees built, TreeComparison.End how) {
    if (over) {
      return;
    }
    switch (how) {
      case TreeComparison.End.Elsewhere elsewhere -> {
        OptionalLong now = context.majorityMillis();
        if (now.isEmpty() || elsewhere.cut() > Version.stampOf(now.getAsLong())) {
          end(new End.Failed("its cut is in the future"));
        } else {
          at(Math.max(cut, elsewhere.cut()));
        }
      }
      case TreeComparison.End.Broken broken -> end(failed(broken.reply()));
      case TreeComparison.End.Differing differing -> {
        state = State.FETCHING;
        if (differing.parts().length == 0) {
          confirm();
        } else {
          RecordSync records =
              new RecordSync(
                  context,
                  settings.timeout(),
                  receiver,
                  dropped,
                  reaper,
                  peer,
                  built,
                  this::isInVain);
          new SyncTask(
                  context, settings, rateLimiter, peer, built, differing, records, this::synced)
              .start();
        }
      }
    }
  }

  /**
   * A tombstone purged during this session leaves a mark first; then what it deleted must not be
   * fetched.
   */
  private boolean isInVain() {
    return over || reaper.hasGoneOnWithout(peer, life);
  }

  private void synced(boolean all) {
    if (!over) {
      if (all) {
        confirm();
      } else {
        end(new End.Failed("some records could not be fetched"));
      }
    }
  }

  /** Asks once more: what was removed during this pull may have been missing from the trees. */
  private void confirm() {
    state = State.CONFIRMING;
    askStatus(() ->
        marks.keep(
            RepairMarks.pulledName(peer),
            Math.max(cut, marks.pulled(peer)),
            kept -> {
              if (kept && !over) {
                confirmPulled();
              } else {
                end(new End.Failed("the store rejects marks"));
              }
            }));
  }

  private void confirmPulled() {
    ReplyDeadline.ask(
        context,
        peer,
        new SyncRequest.Pulled(context.self(), cut),
        settings.timeout(),
        (reply, replyDeadline) -> end(new End.Completed(cut)));
  }
}
