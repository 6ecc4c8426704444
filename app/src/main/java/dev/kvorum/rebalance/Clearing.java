package dev.kvorum.rebalance;

import dev.kvorum.background.Ground;
import dev.kvorum.background.Pace;
import dev.kvorum.background.Window;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Mutation;
import dev.kvorum.placement.Layout;
import dev.kvorum.storage.Applied;
import dev.kvorum.storage.Scanned;
import dev.kvorum.storage.Store.Detail;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The removal of what this member keeps no longer, in one way through its store. It begins once the
 * change is over here, when nobody can write such a record any more. Left in place, a record could
 * outlive the tombstone that deletes it, and rise when this member gains its slot again.
 */
final class Clearing {
  private static final Logger log = LoggerFactory.getLogger(Clearing.class);
  private static final long PAUSE_MILLIS = 500;

  private final Ground ground;
  private final RebalanceSettings settings;
  private final Pace pace;
  private final Layout layout;
  private long dropped;
  private boolean over;
  private volatile boolean done;

  Clearing(Ground ground, RebalanceSettings settings, Pace pace, Layout layout) {
    this.ground = ground;
    this.settings = settings;
    this.pace = pace;
    this.layout = layout;
  }

  void start() {
    // In the first epoch nobody has been a member of anything before.
    boolean first = layout.epoch() <= 1;
    if (first || ground.marks().mark(TransferMarks.CLEARED) >= layout.epoch()) {
      done = true;
    } else {
      // A mark goes the way of all writes: behind it, what was accepted before is in the store.
      keep(TransferMarks.CLEARING, () -> scan(KeyRange.ALL));
    }
  }

  void stop() {
    over = true;
  }

  /** Whether all is gone; safe for any thread. */
  boolean isDone() {
    return done;
  }

  private void scan(KeyRange rest) {
    if (!over) {
      ground
          .store()
          .scan(rest, Detail.VERSION, settings.page(), ground.loop(), found -> on(rest, found));
    }
  }

  private void on(KeyRange rest, Scanned scanned) {
    if (over) {
      // By a newer layout this member may keep what it was about to drop.
      return;
    }
    switch (scanned) {
      case Scanned.Unknown unknown -> later(rest);
      case Scanned.Page page -> {
        List<Mutation> strays =
            page.records().stream()
                .filter(found -> !layout.keeps(ground.self(), found.key(), found.record().from()))
                .toList();
        new Window(
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
    ground
        .store()
        .drop(
            stray.key(),
            stray.record().version(),
            ground.loop(),
            applied -> {
              dropped++;
              end.accept(applied instanceof Applied.Stored);
            });
  }

  private void onDropped(KeyRange rest, Scanned.Page page, boolean all) {
    if (!all) {
      later(rest);
    } else if (page.next().isPresent()) {
      KeyRange next = rest.after(page.next().get());
      pace.after(Pace.bytesOf(page, settings.page()), () -> scan(next));
    } else {
      keepDone();
    }
  }

  private void later(KeyRange rest) {
    ground.loop().schedule(() -> scan(rest), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void keepDone() {
    keep(
        TransferMarks.CLEARED,
        () -> {
          log.info("Let go of {} records that others keep now", dropped);
          done = true;
        });
  }

  private void keep(String mark, Runnable next) {
    ground.keepMark(mark, layout.epoch(), () -> over, next);
  }
}
