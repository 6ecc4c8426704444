package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BoundedParallel;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.data.Key;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.SyncReply;
import dev.kvorum.replica.SyncReply.Held;
import dev.kvorum.replica.SyncRequest;
import dev.kvorum.topology.MemberId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Lists a peer's records in the parts of the Merkle trees that differ, page by page, and
 * synchronizes each of them. The peer lists all its records there, including those that this member
 * does not keep: they can be newer than a copy that this member still has and must drop.
 */
final class SyncTask {
  private final SessionContext session;
  private final MemberId peer;
  private final long cut;
  private final TreeComparison.End.Differing differing;
  private final RecordSync records;
  private final Consumer<SyncResult> done;
  private SyncResult result = SyncResult.SYNCED;
  private int next;

  /**
   * A task that has not begun.
   *
   * @param cut of the trees that were compared
   * @param done called once, on the event loop
   */
  SyncTask(
      SessionContext session,
      MemberId peer,
      long cut,
      TreeComparison.End.Differing differing,
      RecordSync records,
      Consumer<SyncResult> done) {
    this.session = session;
    this.peer = peer;
    this.cut = cut;
    this.differing = differing;
    this.records = records;
    this.done = done;
  }

  void start() {
    requestParts();
  }

  private void requestParts() {
    int[] parts = differing.parts();
    if (next == parts.length) {
      list(Optional.empty());
      return;
    }
    int end = Math.min(parts.length, next + RepairSession.PARTS_MAX);
    int[] some = Arrays.copyOfRange(parts, next, end);
    next = end;
    ask(
        new SyncRequest.WantLeaves(session.background().self(), cut, differing.level(), some),
        reply -> {
          if (reply instanceof SyncReply.Done) {
            requestParts();
          } else {
            fail(reply);
          }
        });
  }

  private void list(Optional<Key> after) {
    ask(
        new SyncRequest.ListWanted(session.background().self(), cut, after),
        reply -> {
          if (reply instanceof SyncReply.Listed listed) {
            sync(listed);
          } else {
            fail(reply);
          }
        });
  }

  private void ask(SyncRequest request, Consumer<ReplicaReply> then) {
    ReplyDeadline.ask(
        session.background(),
        peer,
        request,
        session.settings().timeout(),
        (reply, replyDeadline) -> then.accept(reply));
  }

  private void fail(ReplicaReply reply) {
    done.accept(new SyncResult.Failed("the peer did not list its records: " + reason(reply)));
  }

  /** A reply that the request cannot use, for the log. */
  static String reason(ReplicaReply reply) {
    return reply instanceof ReplicaReply.Failed failed
        ? failed.reason().label()
        : "an unexpected reply";
  }

  private void sync(SyncReply.Listed listed) {
    List<Held> held = listed.held();
    records.takeFetchedBytes();
    new BoundedParallel(
            session.settings().window(),
            held.size(),
            (index, end) -> records.sync(held.get(index), one -> end.accept(isSynced(one))),
            all -> {
              if (!all || listed.next().isEmpty()) {
                done.accept(result);
              } else {
                session.rateLimiter().after(records.takeFetchedBytes(), () -> list(listed.next()));
              }
            })
        .start();
  }

  private boolean isSynced(SyncResult one) {
    if (one instanceof SyncResult.Failed) {
      result = one;
    }
    return one instanceof SyncResult.Synced;
  }
}
