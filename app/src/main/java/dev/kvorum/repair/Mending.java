package dev.kvorum.repair;

import dev.kvorum.background.Ground;
import dev.kvorum.background.Pace;
import dev.kvorum.background.Patience;
import dev.kvorum.background.Window;
import dev.kvorum.data.Key;
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
final class Mending {
  private final Ground ground;
  private final RepairSettings settings;
  private final Pace pace;
  private final MemberId peer;
  private final MerkleTrees trees;
  private final Comparison.End.Differing differing;
  private final RecordMending records;
  private final Consumer<Boolean> done;
  private int next;

  /**
   * A mending that has not begun.
   *
   * @param records what becomes of each record that the other one names
   */
  Mending(
      Ground ground,
      RepairSettings settings,
      Pace pace,
      MemberId peer,
      MerkleTrees trees,
      Comparison.End.Differing differing,
      RecordMending records,
      Consumer<Boolean> done) {
    this.ground = ground;
    this.settings = settings;
    this.pace = pace;
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
    int end = Math.min(parts.length, next + Pull.PARTS_MAX);
    int[] some = Arrays.copyOfRange(parts, next, end);
    next = end;
    Patience.ask(
        ground,
        peer,
        new SyncRequest.WantLeaves(ground.self(), trees.cut(), differing.level(), some),
        settings.timeout(),
        (reply, patience) -> {
          if (reply instanceof SyncReply.Done) {
            want();
          } else {
            done.accept(false);
          }
        });
  }

  private void list(Optional<Key> after) {
    Patience.ask(
        ground,
        peer,
        new SyncRequest.ListWanted(ground.self(), trees.cut(), after),
        settings.timeout(),
        (reply, patience) -> {
          if (reply instanceof SyncReply.Listed listed) {
            mend(listed);
          } else {
            done.accept(false);
          }
        });
  }

  private void mend(SyncReply.Listed listed) {
    List<Held> held = listed.held();
    records.takeFetchedBytes();
    new Window(
            settings.window(),
            held.size(),
            (index, end) -> records.mend(held.get(index), end),
            mended -> {
              if (!mended) {
                done.accept(false);
              } else if (listed.next().isPresent()) {
                pace.after(records.takeFetchedBytes(), () -> list(listed.next()));
              } else {
                done.accept(true);
              }
            })
        .start();
  }
}
