package dev.kvorum.storage.rocks;

import dev.kvorum.storage.engine.RecordCodec;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.rocksdb.RocksDBException;

/**
 * A store in which the newest records of some keys do not match their checksums, as after a bit
 * flip in memory; its files are sound.
 *
 * @param keys the keys of these records
 */
record MismatchedImage(DiskImage image, Set<String> keys) {
  private static final int RECORDS_MAX = 3;

  /** Changes records of a store, in a directory that is made for it and deleted. */
  static MismatchedImage of(DiskImage sound, StoreSettings settings, RandomGenerator random) {
    Path directory = settings.directory();
    sound.writeTo(directory);
    Set<String> keys = new HashSet<>();
    try (RecordStore store = StoreFixture.open(settings)) {
      RocksDatabase database = StoreFixture.database(store);
      List<String> all = CrashRun.keys();
      for (int i = random.nextInt(RECORDS_MAX); i >= 0; i--) {
        String key = all.get(random.nextInt(all.size()));
        String value = "v".repeat(random.nextInt(5_000));
        byte[] stored = RecordCodec.encode(StoreFixture.put(key, 1L << 40, value).record());
        stored[random.nextInt(stored.length)] ^= (byte) (1 << random.nextInt(8));
        database.db().put(database.records(), key.getBytes(StandardCharsets.UTF_8), stored);
        keys.add(key);
      }
      // A synced write behind them: none of them may be dropped as the torn end of the log.
      StoreFixture.keepMark(store.marks(), "behind", 1);
      if (random.nextBoolean()) {
        store.flush();
      }
    } catch (RocksDBException e) {
      throw new IllegalStateException(e);
    }
    DiskImage image = DiskImage.of(directory);
    StoreFiles.delete(directory);
    return new MismatchedImage(image, keys);
  }
}
