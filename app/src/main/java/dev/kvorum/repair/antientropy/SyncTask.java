package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BackgroundRateLimiter;
import dev.kvorum.background.BoundedParallel;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.data.Key;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.replica.SyncReply;
import dev.kvorum.replica.SyncReply.Held;
import dev.kvorum.replica.SyncRequest;
import dev.kvorum.topology.MemberId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The fetching of what another member has newer, in the parts of the trees that differ. Everything
 * it holds there is named, also what this one need not keep: for that may be newer than a copy that
 * this one still has, which then has to go.
 */
final class SyncTask {
  private final BackgroundContext context;
  private final RepairSettings settings;
  private final BackgroundRateLimiter rateLimiter;
  private final MemberId peer;
  private final MerkleTrees trees;
  private final TreeComparison.End.Differing differing;
  private final RecordSync records;
  private final Consumer<Boolean> done;
  private int next;

  /**
   * A repair that has not begun.
   *
   * @param records what becomes of each record that the other one names
   */
  SyncTask(
      BackgroundContext context,
      RepairSettings settings,
      BackgroundRateLimiter rateLimiter,
      MemberId peer,
      MerkleTrees trees,
      TreeComparison.End.Differing differing,
      RecordSync records,
      Consumer<Boolean> done) {
    this.context = context;
    this.settings = settings;
    this.rateLimiter = rateLimiter;
    this.peer = peer;
    this.trees = trees;
    this.differing = differing;
    this.records = records;
    this.done = done;
  }

  void start() {
    want();
  }

  private void want() {
    int[] parts = differing.parts();
    if (next == parts.length) {
      list(Optional.empty());
      return;
    }
    int end = Math.min(parts.length, next + RepairSession.PARTS_MAX);
    int[] some = Arrays.copyOfRange(parts, next, end);
    next = end;
    ReplyDeadline.ask(
        context,
        peer,
        new SyncRequest.WantLeaves(context.self(), trees.cut(), differing.level(), some),
        settings.timeout(),
        (reply, replyDeadline) -> {
          if (reply instanceof SyncReply.Done) {
            want();
          } else {
            done.accept(false);
          }
        });
  }

  private void list(Optional<Key> after) {
    ReplyDeadline.ask(
        context,
        peer,
        new SyncRequest.ListWanted(context.self(), trees.cut(), after),
        settings.timeout(),
        (reply, replyDeadline) -> {
          if (reply instanceof SyncReply.Listed listed) {
            repair(listed);
          } else {
            done.accept(false);
          }
        });
  }

  private void repair(SyncReply.Listed listed) {
    List<Held> held = listed.held();
    records.takeFetchedBytes();
    new BoundedParallel(
            settings.window(),
            held.size(),
            (index, end) -> records.repair(held.get(index), end),
            repaired -> {
              if (!repaired) {
                done.accept(false);
              } else if (listed.next().isPresent()) {
                rateLimiter.after(records.takeFetchedBytes(), () -> list(listed.next()));
              } else {
                done.accept(true);
              }
            })
        .start();
  }
}
