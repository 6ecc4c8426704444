package dev.kvorum.rebalance;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BoundedParallel;
import dev.kvorum.background.ReplyDeadline;
import dev.kvorum.background.StreamReceiver;
import dev.kvorum.data.Mutation;
import dev.kvorum.replica.RecordSum;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.replica.TransferRequest.CopyGained;
import dev.kvorum.topology.MemberId;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
  private final CopyGained all;
  private final Listener listener;
  private CopyGained next;
  private RecordSum stored = RecordSum.NONE;
  private long pauseMillis = PAUSE_MIN_MILLIS;
  private boolean over;

  /** Receives the progress of a stream. */
  interface Listener {
    /** Called with each page that is stored. */
    void onPageStored(List<Mutation> page);

    /** Called once all pages are stored. */
    void onSourceDone();
  }

  /**
   * Creates a stream that has not started.
   *
   * @param all requests the first page
   */
  TransferStream(
      BackgroundContext context,
      RebalanceSettings settings,
      StreamReceiver receiver,
      MemberId source,
      CopyGained all,
      Listener listener) {
    this.context = context;
    this.settings = settings;
    this.receiver = receiver;
    this.source = source;
    this.all = all;
    this.next = all;
    this.listener = listener;
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
      ReplyDeadline.ask(context, source, next, settings.timeout(), this::on);
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
    listener.onPageStored(page.records());
    if (page.next().isPresent()) {
      next = all.behind(page.next(), page.sent());
      ask();
    } else if (page.sent().equals(stored)) {
      over = true;
      listener.onSourceDone();
    } else {
      log.error("{} sent {}, stored {}: streaming again", source, page.sent(), stored);
      next = all;
      stored = RecordSum.NONE;
      later();
    }
  }
}
