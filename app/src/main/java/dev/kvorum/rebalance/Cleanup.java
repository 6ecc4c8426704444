package dev.kvorum.rebalance;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BackgroundRateLimiter;
import dev.kvorum.background.BoundedParallel;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.placement.Layout;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.WriteResult;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the records that this member no longer keeps, in one scan of its store. It starts after
 * the membership change, when no coordinator can write such a record any more. Otherwise a record
 * could outlive the tombstone that deletes it, and reappear when this member gains its slot again.
 */
final class Cleanup {
  private static final Logger log = LoggerFactory.getLogger(Cleanup.class);
  private static final long PAUSE_MILLIS = 500;

  private final BackgroundContext context;
  private final RebalanceSettings settings;
  private final BackgroundRateLimiter rateLimiter;
  private final Layout layout;
  private long dropped;
  private boolean over;
  private volatile boolean done;

  Cleanup(
      BackgroundContext context,
      RebalanceSettings settings,
      BackgroundRateLimiter rateLimiter,
      Layout layout) {
    this.context = context;
    this.settings = settings;
    this.rateLimiter = rateLimiter;
    this.layout = layout;
  }

  void start() {
    // There were no members before the first epoch.
    boolean first = layout.epoch() <= 1;
    if (first || context.marks().mark(TransferMarks.CLEANED_UP) >= layout.epoch()) {
      done = true;
    } else {
      // The mark passes the queue of all writes, so all writes accepted before it are then in the
      // store.
      keep(TransferMarks.CLEANUP, () -> scan(KeyRange.ALL));
    }
  }

  void stop() {
    over = true;
  }

  /** Returns whether all such records are removed. Safe for any thread. */
  boolean isDone() {
    return done;
  }

  private void scan(KeyRange rest) {
    if (!over) {
      context
          .store()
          .scan(rest, Detail.VERSION, settings.page(), context.loop(), found -> on(rest, found));
    }
  }

  private void on(KeyRange rest, ScanResult scanned) {
    if (over) {
      // With a newer layout, this member may keep what it was about to drop.
      return;
    }
    switch (scanned) {
      case ScanResult.Unknown unknown -> later(rest);
      case ScanResult.Page page -> {
        List<Mutation> strays =
            page.records().stream()
                .filter(found -> !layout.keeps(context.self(), found.key(), found.record().from()))
                .toList();
        new BoundedParallel(
                settings.window(),
                strays.size(),
                (index, end) -> drop(strays.get(index), end),
                dropped -> onDropped(rest, page, dropped))
            .start();
      }
    }
  }

  private void drop(Mutation stray, Consumer<Boolean> end) {
    if (over) {
      end.accept(false);
      return;
    }
    context
        .store()
        .drop(
            stray.key(),
            stray.record().version(),
            context.loop(),
            applied -> {
              dropped++;
              end.accept(applied instanceof WriteResult.Stored);
            });
  }

  private void onDropped(KeyRange rest, ScanResult.Page page, boolean all) {
    if (!all) {
      later(rest);
    } else if (page.next().isPresent()) {
      KeyRange next = rest.after(page.next().get());
      rateLimiter.after(BackgroundRateLimiter.bytesOf(page, settings.page()), () -> scan(next));
    } else {
      keepDone();
    }
  }

  private void later(KeyRange rest) {
    context.loop().schedule(() -> scan(rest), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void keepDone() {
    keep(
        TransferMarks.CLEANED_UP,
        () -> {
          log.info("Removed {} records that this member no longer keeps", dropped);
          done = true;
        });
  }

  private void keep(String mark, Runnable next) {
    context.keepMark(mark, layout.epoch(), () -> over, next);
  }
}
