package dev.kvorum.rebalance;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BoundedParallel;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.background.StreamReceiver;
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
 * Copies all records that this member gains from one source, page by page in key order. The sum of
 * what the source has sent must equal the sum of what the own store has confirmed. After an outage
 * of the source, the stream resumes where it stopped. Confined to one event loop.
 */
final class TransferStream {
  private static final Logger log = LoggerFactory.getLogger(TransferStream.class);
  private static final long PAUSE_MIN_MILLIS = 100;
  private static final long PAUSE_MAX_MILLIS = 2000;

  private final BackgroundContext context;
  private final RebalanceSettings settings;
  private final StreamReceiver receiver;
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
   * Creates a stream that has not started.
   *
   * @param since 0 for all records; otherwise see {@link TransferRequest.CopyGained}
   * @param came called with each page that is stored
   * @param done run once all pages are stored
   */
  TransferStream(
      BackgroundContext context,
      RebalanceSettings settings,
      StreamReceiver receiver,
      MemberId source,
      long epoch,
      long since,
      Consumer<List<Mutation>> came,
      Runnable done) {
    this.context = context;
    this.settings = settings;
    this.receiver = receiver;
    this.source = source;
    this.epoch = epoch;
    this.since = since;
    this.came = came;
    this.done = done;
  }

  void start() {
    assert context.isOnLoop();
    ask();
  }

  /** Stops the stream without a result. */
  void stop() {
    assert context.isOnLoop();
    over = true;
  }

  private void ask() {
    if (!over) {
      ReplyDeadline.ask(
          context,
          source,
          new TransferRequest.CopyGained(context.self(), epoch, since, after, sent),
          settings.timeout(),
          this::on);
    }
  }

  private void on(ReplicaReply reply, ReplyDeadline replyDeadline) {
    assert context.isOnLoop();
    if (over) {
      return;
    }
    if (reply instanceof TransferReply.Gained page) {
      pauseMillis = PAUSE_MIN_MILLIS;
      applyStreamed(page, replyDeadline);
    } else {
      later();
    }
  }

  private void later() {
    context.loop().schedule(this::ask, pauseMillis, TimeUnit.MILLISECONDS);
    pauseMillis = Math.min(PAUSE_MAX_MILLIS, pauseMillis * 2);
  }

  private void applyStreamed(TransferReply.Gained page, ReplyDeadline replyDeadline) {
    List<Mutation> records = page.records();
    new BoundedParallel(
            settings.window(),
            records.size(),
            (index, end) -> receiver.applyStreamed(records.get(index), replyDeadline, end),
            applied -> {
              if (over) {
                return;
              }
              if (applied) {
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
      log.error("{} sent {}, stored {}: streaming again", source, sent, stored);
      sent = RecordSum.NONE;
      stored = RecordSum.NONE;
      later();
    }
  }
}
