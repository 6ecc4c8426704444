package dev.kvorum.rebalance;

import dev.kvorum.background.Adoption;
import dev.kvorum.background.Ground;
import dev.kvorum.background.Patience;
import dev.kvorum.background.Window;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.replica.RecordSum;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.replica.TransferRequest;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copying of all that this member gains from one other member, page by page in the order of
 * keys. What the source has sent and what the own store has confirmed must come to the same sum. A
 * source that was away goes on where it left off. Lives on one event loop.
 */
final class SlotCopy {
  private static final Logger log = LoggerFactory.getLogger(SlotCopy.class);
  private static final long PAUSE_MIN_MILLIS = 100;
  private static final long PAUSE_MAX_MILLIS = 2000;

  private final Ground ground;
  private final RebalanceSettings settings;
  private final Adoption adoption;
  private final MemberId source;
  private final long epoch;
  private final long since;
  private final Consumer<List<Mutation>> came;
  private final Runnable done;
  private Optional<Key> after = Optional.empty();
  private RecordSum sent = RecordSum.NONE;
  private RecordSum stored = RecordSum.NONE;
  private long pauseMillis = PAUSE_MIN_MILLIS;
  private boolean over;

  /**
   * A copy that has not begun.
   *
   * @param since stamp from which on records are wanted
   * @param came told of each page that is stored
   * @param done run once all is
   */
  SlotCopy(
      Ground ground,
      RebalanceSettings settings,
      Adoption adoption,
      MemberId source,
      long epoch,
      long since,
      Consumer<List<Mutation>> came,
      Runnable done) {
    this.ground = ground;
    this.settings = settings;
    this.adoption = adoption;
    this.source = source;
    this.epoch = epoch;
    this.since = since;
    this.came = came;
    this.done = done;
  }

  void start() {
    ask();
  }

  /** Ends it without a word. */
  void stop() {
    over = true;
  }

  private void ask() {
    if (!over) {
      Patience.ask(
          ground,
          source,
          new TransferRequest.CopyGained(ground.self(), epoch, since, after, sent),
          settings.timeout(),
          this::on);
    }
  }

  private void on(ReplicaReply reply, Patience patience) {
    if (over) {
      return;
    }
    if (reply instanceof TransferReply.Gained page) {
      pauseMillis = PAUSE_MIN_MILLIS;
      adopt(page, patience);
    } else {
      later();
    }
  }

  private void later() {
    ground.loop().schedule(this::ask, pauseMillis, TimeUnit.MILLISECONDS);
    pauseMillis = Math.min(PAUSE_MAX_MILLIS, pauseMillis * 2);
  }

  private void adopt(TransferReply.Gained page, Patience patience) {
    List<Mutation> records = page.records();
    new Window(
            settings.window(),
            records.size(),
            (index, end) -> adoption.adopt(records.get(index), patience, end),
            adopted -> {
              if (over) {
                return;
              }
              if (adopted) {
                stored(page);
              } else {
                later();
              }
            })
        .start();
  }

  private void stored(TransferReply.Gained page) {
    for (Mutation record : page.records()) {
      stored = stored.plus(record);
    }
    sent = page.sent();
    after = page.next();
    came.accept(page.records());
    if (after.isPresent()) {
      ask();
    } else if (sent.equals(stored)) {
      over = true;
      done.run();
    } else {
      log.error("{} has sent {}, {} are stored: once more", source, sent, stored);
      sent = RecordSum.NONE;
      stored = RecordSum.NONE;
      later();
    }
  }
}
