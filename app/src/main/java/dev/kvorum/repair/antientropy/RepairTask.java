package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BoundedParallel;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.data.Key;
import dev.kvorum.replica.RepairReply;
import dev.kvorum.replica.RepairReply.Held;
import dev.kvorum.replica.RepairRequest;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.topology.MemberId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Lists a peer's records in the parts of the Merkle trees that differ, page by page, and repairs
 * each of them. The peer lists all its records there, including those that this member does not
 * keep: they can be newer than a copy that this member still has and must drop.
 */
final class RepairTask {
  private final SessionContext session;
  private final MemberId peer;
  private final long cut;
  private final TreeComparison.End.Differing differing;
  private final RecordRepair records;
  private final Consumer<RepairResult> done;
  private RepairResult result = RepairResult.EQUAL;
  private int next;

  /**
   * A task that has not begun.
   *
   * @param cut of the trees that were compared
   * @param done called once, on the event loop
   */
  RepairTask(
      SessionContext session,
      MemberId peer,
      long cut,
      TreeComparison.End.Differing differing,
      RecordRepair records,
      Consumer<RepairResult> done) {
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
        new RepairRequest.WantLeaves(session.background().self(), cut, differing.level(), some),
        reply -> {
          if (reply instanceof RepairReply.Done) {
            requestParts();
          } else {
            fail(reply);
          }
        });
  }

  private void list(Optional<Key> after) {
    ask(
        new RepairRequest.ListWanted(session.background().self(), cut, after),
        reply -> {
          if (reply instanceof RepairReply.Listed listed) {
            repair(listed);
          } else {
            fail(reply);
          }
        });
  }

  private void ask(RepairRequest request, Consumer<ReplicaReply> then) {
    ReplyDeadline.ask(
        session.background(),
        peer,
        request,
        session.settings().timeout(),
        (reply, replyDeadline) -> then.accept(reply));
  }

  private void fail(ReplicaReply reply) {
    done.accept(new RepairResult.Failed("the peer did not list its records: " + reason(reply)));
  }

  /** A reply that the request cannot use, for the log. */
  static String reason(ReplicaReply reply) {
    return reply instanceof ReplicaReply.Failed failed
        ? failed.reason().label()
        : "an unexpected reply";
  }

  private void repair(RepairReply.Listed listed) {
    List<Held> held = listed.held();
    records.takeFetchedBytes();
    new BoundedParallel(
            session.settings().window(),
            held.size(),
            (index, end) -> records.repair(held.get(index), one -> end.accept(isEqual(one))),
            all -> {
              if (!all || listed.next().isEmpty()) {
                done.accept(result);
              } else {
                session.rateLimiter().after(records.takeFetchedBytes(), () -> list(listed.next()));
              }
            })
        .start();
  }

  private boolean isEqual(RepairResult one) {
    if (one instanceof RepairResult.Failed) {
      result = one;
    }
    return one instanceof RepairResult.Equal;
  }
}
