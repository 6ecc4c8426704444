package dev.kvorum.storage.replace;

import static dev.kvorum.storage.rocks.StoreFixture.INLINE;
import static dev.kvorum.storage.rocks.StoreFixture.await;
import static dev.kvorum.storage.rocks.StoreFixture.awaitUntil;
import static dev.kvorum.storage.rocks.StoreFixture.scan;

import dev.kvorum.data.KeyRange;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.ScanResult;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.engine.StoreSettings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A scan that the disk does not answer until it is ended. */
final class HangingScan implements Waiter<ScanResult> {
  private static final ScanLimits LIMITS = new ScanLimits(1, 1000);

  private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

  private HangingScan() {}

  /** Begins one, and waits until it is in the store. */
  static HangingScan beginIn(Store store) {
    HangingScan hanging = new HangingScan();
    store.scan(KeyRange.ALL, Detail.VERSION, LIMITS, INLINE, hanging);
    await(hanging.begun);
    return hanging;
  }

  /** The same settings for a store that waits for nothing when it stops. */
  static StoreSettings shortOfTime(StoreSettings usual) {
    return StoreSettings.of(
        usual.directory(), usual.storage(), usual.hintBytesMax(), Duration.ofMillis(1));
  }

  /** Waits until a store admits no further scan. */
  static void awaitClosing(Store store) {
    awaitUntil(
        () -> scan(store, KeyRange.ALL, Detail.VERSION, LIMITS) instanceof ScanResult.Unknown);
  }

  boolean isOver() {
    return ended.isDone();
  }

  void end() {
    ended.complete(true);
  }

  @Override
  public boolean isWaiting() {
    begun.complete(true);
    return ended.join(); // also if its thread is interrupted
  }

  @Override
  public void reply(ScanResult page) {}
}
