package dev.kvorum.repair.salvage;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.RetryingWriter;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Decides which salvaged records are stored although they may have been deleted. If half of the
 * other replicas (rounded up) still have every record that they acknowledged under the key, no
 * acknowledged write is missing, and the record is dropped. Otherwise it may be the last copy, and
 * is stored. Confined to one event loop.
 */
final class LastCopies {
  private final BackgroundContext context;
  private final RepairSettings settings;
  private final StreamReceiver receiver;
  private final RetryingWriter writer;
  private final BooleanSupplier isOver;

  LastCopies(
      BackgroundContext context,
      RepairSettings settings,
      StreamReceiver receiver,
      RetryingWriter writer,
      BooleanSupplier isOver) {
    this.context = context;
    this.settings = settings;
    this.receiver = receiver;
    this.writer = writer;
    this.isOver = isOver;
  }

  /**
   * Decides on each record; waits until the other replicas have replied.
   *
   * @param done called once the needed records are stored
   */
  void decide(List<Mutation> records, Runnable done) {
    assert context.isOnLoop();
    if (isOver.getAsBoolean()) {
      return;
    }
    if (records.isEmpty()) {
      done.run();
      return;
    }
    List<KeyRange> keys = records.stream().map(record -> KeyRange.only(record.key())).toList();
    RangeCertainty certainty = new RangeCertainty(context, settings.timeout(), keys);
    certainty.ask(() -> {
      if (!isOver.getAsBoolean()) {
        decide(records, certainty, done);
      }
    });
  }

  private void decide(List<Mutation> records, RangeCertainty certainty, Runnable done) {
    List<Mutation> needed = new ArrayList<>();
    List<Mutation> open = new ArrayList<>();
    for (Mutation record : records) {
      List<MemberId> others = otherReplicas(record);
      KeyRange key = KeyRange.only(record.key());
      boolean isCovered = certainty.certain(key, others) >= (record.record().from() + 1) / 2;
      if (!isCovered) {
        boolean haveAllReplied = certainty.replied(key, others) == others.size();
        (haveAllReplied ? needed : open).add(record);
      }
    }
    writer.write(
        needed,
        (record, stored) ->
            receiver.salvage(
                record, true, applied -> stored.accept(!(applied instanceof WriteResult.Rejected))),
        () -> {
          if (open.isEmpty()) {
            done.run();
          } else {
            writer.later(() -> decide(open, done));
          }
        });
  }

  private List<MemberId> otherReplicas(Mutation record) {
    return context.layouts().get().reads(record.key(), record.record().from()).replicas().stream()
        .filter(replica -> !replica.equals(context.self()))
        .toList();
  }
}
