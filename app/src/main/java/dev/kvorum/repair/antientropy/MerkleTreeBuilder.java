package dev.kvorum.repair.antientropy;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.background.BackgroundRateLimiter;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Version;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store.Detail;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This member's newest Merkle trees, and the scan that builds newer ones: one at a time, over all
 * records, within the rate limit of repair. Cuts only increase. Confined to one event loop.
 *
 * <p>Tombstones and expired records that some members may have removed already are left out, so
 * that those which have and those which have not are equal.
 */
final class MerkleTreeBuilder {
  private static final Logger log = LoggerFactory.getLogger(MerkleTreeBuilder.class);
  private static final long RETRY_MILLIS = 1000;

  private final BackgroundContext context;
  private final RepairSettings settings;
  private final BackgroundRateLimiter rateLimiter;
  private final PeerWatermarks watermarks;
  private final TombstonePurger purger;
  private final List<Consumer<MerkleTrees>> waiting = new ArrayList<>();
  private @Nullable MerkleTrees latest;
  private @Nullable Build build;
  private long wantedCut;

  public MerkleTreeBuilder(
      BackgroundContext context,
      RepairSettings settings,
      BackgroundRateLimiter rateLimiter,
      PeerWatermarks watermarks,
      TombstonePurger purger) {
    this.context = context;
    this.settings = settings;
    this.rateLimiter = rateLimiter;
    this.watermarks = watermarks;
    this.purger = purger;
  }

  /** The trees of a cut if they are ready. */
  @Nullable MerkleTrees at(long cut) {
    return latest != null && latest.cut() == cut ? latest : null;
  }

  /** The newest cut that trees were asked for; 0 when there was none. */
  long newestCut() {
    return wantedCut;
  }

  /** Builds trees of this cut, unless newer ones are there or being built. */
  void want(long cut) {
    assert context.isOnLoop();
    if (cut > wantedCut) {
      wantedCut = cut;
    }
    if (build == null && (latest == null || latest.cut() < wantedCut)) {
      build = new Build(wantedCut);
      build.nextPage(KeyRange.ALL);
    }
  }

  /** Gives trees of this cut or a newer one, once they are ready. */
  void whenAt(long cut, Consumer<MerkleTrees> then) {
    assert context.isOnLoop();
    if (latest != null && latest.cut() >= cut) {
      then.accept(latest);
    } else {
      waiting.add(then);
      want(cut);
    }
  }

  /** Whether a scan is under way. */
  boolean isBuilding() {
    return build != null;
  }

  /** Drops every tree; a scan under way ends without a result. */
  public void clear() {
    assert context.isOnLoop();
    latest = null;
    build = null;
    wantedCut = 0;
    waiting.clear();
  }

  private void finish(MerkleTrees built) {
    build = null;
    latest = built;
    List<Consumer<MerkleTrees>> served = List.copyOf(waiting);
    waiting.clear();
    served.forEach(waiter -> whenAt(built.cut(), waiter));
    want(wantedCut);
  }

  private final class Build {
    private final MerkleTrees trees;
    private final long cutMillis;

    private final ScanLimits limits = settings.page();

    Build(long cut) {
      long longDead = cut - Version.stampOf(settings.tombstoneAgeMin().toMillis());
      long dead = Math.min(longDead, purger.comparedUpTo());
      trees = new MerkleTrees(cut, settings.copiesMax(), dead);
      cutMillis = Version.millisOf(cut);
      watermarks.scanBegins(cut);
    }

    void nextPage(KeyRange rest) {
      context
          .store()
          .scan(rest, Detail.VERSION, limits, context.loop(), scanned -> on(rest, scanned));
    }

    private void on(KeyRange rest, ScanResult scanned) {
      assert context.isOnLoop();
      if (build != this) {
        return;
      }
      switch (scanned) {
        case ScanResult.Unknown unknown -> {
          log.debug("A repair scan is delayed: {}", unknown.reason().label());
          context.loop().schedule(() -> again(rest), RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
        case ScanResult.Page page -> {
          page.records().forEach(found -> trees.add(found.key(), found.record()));
          long bytes = BackgroundRateLimiter.bytesOf(page, limits);
          purger.tidy(
              page.records(), cutMillis, () -> rateLimiter.after(bytes, () -> goOn(rest, page)));
        }
      }
    }

    private void again(KeyRange rest) {
      if (build == this) {
        nextPage(rest);
      }
    }

    private void goOn(KeyRange rest, ScanResult.Page page) {
      if (build != this) {
        return;
      }
      if (page.next().isPresent()) {
        nextPage(rest.after(page.next().get()));
      } else {
        finish(trees);
      }
    }
  }
}
