package dev.kvorum.storage;

import java.io.IOException;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an empty store takes the place of another on disk, so that it is never taken for a whole one,
 * wherever the process ends in between. For one thread at a time.
 */
final class StoreSuccession {
  private static final Logger LOGGER = LoggerFactory.getLogger(StoreSuccession.class);

  private final RocksSettings settings;
  private final CommitProbe probe;
  private final ChecksumVerifier verifier;
  private final InstantSource wallClock;
  private final StoreDirectories places;

  StoreSuccession(
      RocksSettings settings,
      CommitProbe probe,
      ChecksumVerifier verifier,
      InstantSource wallClock) {
    this.settings = settings;
    this.probe = probe;
    this.verifier = verifier;
    this.wallClock = wallClock;
    this.places = new StoreDirectories(settings.directory());
  }

  /** Opens the store, or one that takes its place because it is damaged. */
  RocksStore begin(OnDamage onDamage, Consumer<String> heard) {
    try {
      places.finishInterrupted();
      return open(heard);
    } catch (StoreOpenException e) {
      if (!e.isDamage() || onDamage == OnDamage.REFUSE) {
        throw e;
      }
      succeedUnreadable(e);
      return open(heard);
    } catch (IOException e) {
      throw StoreOpenException.of(settings.directory(), e);
    }
  }

  private void succeedUnreadable(StoreOpenException damage) {
    LOGGER.error("{}", damage.getMessage());
    try {
      putAside(Keepsakes.salvaged(settings), true, "it could not be opened");
    } catch (IOException | RocksDBException e) {
      damage.addSuppressed(e);
      throw damage;
    }
  }

  /** Opens the store that is in place; see {@link RocksStore#open}. */
  RocksStore open(Consumer<String> onDamage) {
    return RocksStore.open(
        settings, probe, () -> DiskSpace.usableBytes(settings.directory()), verifier, onDamage);
  }

  /**
   * Puts the store aside, which nobody may have open, and an empty one into its place.
   *
   * @param isCorrupted whether its records are to be salvaged; else they must not come back
   */
  void putAside(Keepsakes keepsakes, boolean isCorrupted, String reason)
      throws IOException, RocksDBException {
    places.clearFresh();
    // Whole before it is in place: an empty store without its mark would be taken for a full one.
    try (RocksDatabase fresh = RocksDatabase.open(settings.in(places.fresh()))) {
      keepsakes.leaveIn(fresh);
    }
    LOGGER.warn(
        "Set the store in {} aside as {} ({}). This node begins with an empty one and is rebuilt"
            + " from its peers{}",
        settings.directory(),
        places.swap(wallClock.instant(), isCorrupted, settings.diskFreeMinBytes()),
        reason,
        isCorrupted ? " and from what can be read of the corrupted one" : "");
  }

  StoreDirectories places() {
    return places;
  }
}
