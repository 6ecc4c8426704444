package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.data.Version;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.replica.RepairReply;
import dev.kvorum.replica.RepairRequest;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.topology.MemberId;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Fetches from one peer all that this member lacks, up to one cut: asks for the peer's status,
 * compares Merkle trees, fetches the records that differ, then records and reports completion. A
 * failed session is not resumed; {@link AntiEntropy} starts another one. Confined to one event
 * loop, except for {@link #state}.
 */
public final class RepairSession {
  /** Tree nodes in one request; with their digests, 32 KB. */
  static final int PARTS_MAX = 512;

  private static final int CUTS_MAX = 5;

  private final SessionContext session;
  private final BackgroundContext context;
  private final RepairMarks marks;
  private final TombstonePurger purger;
  private final MemberId peer;
  private final Consumer<End> done;
  private volatile State state = State.ASKING;
  private long cut;
  private long life;
  private int cuts;
  private boolean over;

  /** What a session is doing. */
  public enum State {
    ASKING,
    BUILDING_TREES,
    COMPARING,
    FETCHING,
    CONFIRMING
  }

  /** How a session ended. */
  sealed interface End {
    /** This member has all that the peer had at the cut. */
    record Completed(long cut) implements End {}

    /**
     * To be retried later.
     *
     * @param reason for the log
     */
    record Failed(String reason) implements End {}

    /** The peer has removed tombstones that this member never received. */
    record MissedPurges() implements End {}
  }

  /**
   * A session that has not begun.
   *
   * @param done called once, on the event loop, unless the session is stopped
   */
  RepairSession(SessionContext session, MemberId peer, Consumer<End> done) {
    this.session = session;
    this.context = session.background();
    this.marks = session.marks();
    this.purger = session.purger();
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
    assert context.isOnLoop();
    askStatus(() -> at(firstCut));
  }

  /** Ends the session without a result. */
  void stop() {
    assert context.isOnLoop();
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
        session.settings().timeout(),
        (reply, replyDeadline) -> {
          if (over) {
            return;
          }
          if (reply instanceof RepairReply.Status status) {
            if (status.rebuilding()) {
              end(new End.Failed("the peer is rebuilding"));
            } else if (status.hasPurgedSince(marks.pulledUnchecked(peer))) {
              end(new End.MissedPurges());
            } else if (purger.hasPurgedWithout(peer, status.life())) {
              end(new End.Failed("the peer may hold deleted records and has to reset its store"));
            } else {
              life = status.life();
              // The peer votes in reads, even if its own sessions are late.
              purger.contacted(peer);
              then.run();
            }
          } else {
            end(failed(reply));
          }
        });
  }

  private static End failed(ReplicaReply reply) {
    return new End.Failed(RepairTask.reason(reply));
  }

  private void at(long wantedCut) {
    if (++cuts > CUTS_MAX) {
      end(new End.Failed("the cuts do not match"));
      return;
    }
    state = State.BUILDING_TREES;
    session
        .trees()
        .whenAt(
            wantedCut,
            built -> {
              if (!over) {
                cut = built.cut();
                state = State.COMPARING;
                new TreeComparison(
                        context,
                        session.settings(),
                        built,
                        peer,
                        () -> over,
                        how -> compared(built, how))
                    .start();
              }
            });
  }

  private void compared(MerkleTrees built, TreeComparison.End how) {
    assert context.isOnLoop();
    if (over) {
      return;
    }
    switch (how) {
      case TreeComparison.End.CutMoved moved -> {
        OptionalLong now = context.majorityMillis();
        if (now.isEmpty() || moved.cut() > Version.stampOf(now.getAsLong())) {
          end(new End.Failed("the peer's cut is in the future"));
        } else {
          at(Math.max(cut, moved.cut()));
        }
      }
      case TreeComparison.End.Broken broken -> end(failed(broken.reply()));
      case TreeComparison.End.Differing differing -> {
        state = State.FETCHING;
        if (differing.parts().length == 0) {
          confirm();
        } else {
          RecordRepair records = new RecordRepair(session, peer, built, this::isInVain);
          new RepairTask(session, peer, built.cut(), differing, records, this::onRepaired).start();
        }
      }
    }
  }

  /**
   * Whether records must not be fetched any more. A tombstone that is purged during this session
   * leaves a mark first: the peer may still hold what it deleted.
   */
  private boolean isInVain() {
    return over || purger.hasPurgedWithout(peer, life);
  }

  private void onRepaired(RepairResult result) {
    assert context.isOnLoop();
    if (!over) {
      switch (result) {
        case RepairResult.Equal _ -> confirm();
        case RepairResult.Failed(String reason) -> end(new End.Failed(reason));
      }
    }
  }

  /** Asks for the status again: records removed during the session are missing from the trees. */
  private void confirm() {
    state = State.CONFIRMING;
    askStatus(() ->
        marks.keep(
            RepairMarks.pulledName(peer),
            Math.max(cut, marks.pulledBefore(peer, context.latestMillis())),
            kept -> {
              if (kept && !over) {
                confirmPulled();
              } else {
                end(new End.Failed("the own store rejects marks"));
              }
            }));
  }

  private void confirmPulled() {
    ReplyDeadline.ask(
        context,
        peer,
        new RepairRequest.Pulled(context.self(), cut),
        session.settings().timeout(),
        (reply, replyDeadline) -> end(new End.Completed(cut)));
  }
}
