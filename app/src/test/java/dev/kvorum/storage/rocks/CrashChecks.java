package dev.kvorum.storage.rocks;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.data.Versioned;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.engine.RecordStore;
import dev.kvorum.storage.engine.StoreOpenException;
import dev.kvorum.storage.engine.StoreSettings;
import dev.kvorum.storage.salvage.CorruptedStores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Opens images of a store's disk and compares what is found with what was acknowledged. */
final class CrashChecks {
  private static final Pattern MISSING = Pattern.compile("/(\\d+\\.(?:sst|blob)): No such file");
  private static final String NAME = "store.set-aside-20260102T030405Z.corrupted";

  private final Path parent;
  private final RandomGenerator random;
  private final String[] more;
  private final List<String> violations = new ArrayList<>();
  private int powerLosses;
  private int damages;
  private int combined;
  private int unharmed;
  private int foundAtReads;
  private int foundAtOpening;

  /**
   * No images yet.
   *
   * @param more settings of {@code kvorum.storage}
   */
  CrashChecks(Path directory, RandomGenerator random, String... more) {
    this.parent = directory.resolve("images");
    this.random = random;
    this.more = more;
  }

  private RecordStore open(Path directory) {
    return StoreFixture.open(settings(directory));
  }

  /** The settings of stores in images. */
  StoreSettings settings(Path directory) {
    return StoreFixture.with(StoreFixture.settings(directory), more);
  }

  /** Where images are written to, one at a time. */
  Path place() {
    return parent.resolve(NAME);
  }

  int images() {
    return powerLosses + damages;
  }

  List<String> violations() {
    return violations;
  }

  @Override
  public String toString() {
    return ("%d images of power losses; %d of damage and %d of damage with mismatches or in use: %d"
            + " without effect, %d found by reads, %d when the store was opened")
        .formatted(powerLosses, damages, combined, unharmed, foundAtReads, foundAtOpening);
  }

  /**
   * After a power loss a store opens, and holds a state that is no older than acknowledged.
   *
   * @param known names of all files before and after the writes. A table that a merge wrote and the
   *     next one dropped is not among them, but a manifest torn between the two changes names it:
   *     no disk is like that, since it is deleted once the second change is synced
   */
  void powerLost(DiskImage image, List<String> known, CrashModel model, Supplier<Object> cause) {
    powerLosses++;
    Path directory = place();
    image.writeTo(directory);
    try {
      CrashModel.State recovered;
      try (RecordStore store = open(directory)) {
        recovered = state(store);
        model.violation(recovered).ifPresent(wrong -> violation(wrong, cause));
        if (random.nextInt(4) == 0) {
          StoreFixture.apply(store, StoreFixture.put("afterwards", 1L << 40, "v"));
        }
      }
      try (RecordStore store = open(directory)) {
        if (!state(store).equals(recovered)) {
          violation("the next opening finds something else", cause);
        }
      }
    } catch (StoreOpenException | AssertionError e) {
      String message = String.valueOf(e.getMessage());
      Matcher missing = MISSING.matcher(message);
      if (!missing.find() || known.contains(missing.group(1))) {
        violation(message, cause);
      }
    }
    StoreFiles.delete(directory);
  }

  /** Corruption is never answered with an absence or an older record. */
  void damaged(DiskImage image, CrashModel.State wanted, Supplier<Object> cause) {
    damages++;
    image.writeTo(place());
    open(wanted, Set.of(), cause);
  }

  /**
   * The same of a store that is on disk already and was corrupted in use, or holds newer records of
   * some keys that do not match their checksums.
   */
  void alsoDamaged(CrashModel.State wanted, Set<String> mismatched, Supplier<Object> cause) {
    combined++;
    open(wanted, mismatched, cause);
  }

  private void open(CrashModel.State wanted, Set<String> mismatched, Supplier<Object> cause) {
    boolean isCorrupted;
    try (RecordStore store = open(place())) {
      isCorrupted = !compare(store, wanted, mismatched, cause);
      if (isCorrupted) {
        foundAtReads++;
      } else {
        unharmed++;
      }
    } catch (StoreOpenException e) {
      foundAtOpening++;
      isCorrupted = e.isCorruption();
      if (!isCorrupted) {
        violation("not taken for damage: " + e.getMessage(), cause);
      }
    }
    if (isCorrupted) {
      salvage(wanted, mismatched, cause);
    }
    if (!StoreFiles.like(parent, NAME, "").isEmpty()) {
      StoreFiles.delete(place());
    }
  }

  /** Reads all keys, and returns whether each of them could be read. */
  boolean compare(
      RecordStore store, CrashModel.State wanted, Set<String> mismatched, Supplier<Object> cause) {
    boolean isReadable = true;
    for (String key : CrashRun.keys()) {
      ReadResult found = StoreFixture.read(store, key);
      Versioned record = wanted.records().get(key);
      if (found instanceof ReadResult.Unknown) {
        isReadable = false;
      } else if (mismatched.contains(key) || !found.equals(lookup(record))) {
        violation(key + " reads " + found + " instead of " + record, cause);
      }
    }
    return isReadable;
  }

  private void violation(String wrong, Supplier<Object> cause) {
    violations.add(wrong + " in image " + images() + ", " + cause.get());
  }

  private static CrashModel.State state(RecordStore store) {
    Map<String, Versioned> records = new HashMap<>();
    for (String key : CrashRun.keys()) {
      switch (StoreFixture.read(store, key)) {
        case ReadResult.Found found -> records.put(key, found.record());
        case ReadResult.Absent absent -> {}
        case ReadResult.Unknown unknown -> throw new AssertionError(key + " cannot be read");
        case ReadResult.FoundVersion version -> throw new AssertionError("not asked for");
      }
    }
    Map<String, Long> marks = new HashMap<>();
    for (String name : CrashRun.markNames()) {
      long number = store.marks().mark(name);
      if (number != 0) {
        marks.put(name, number);
      }
    }
    return new CrashModel.State(records, marks);
  }

  private static ReadResult lookup(@Nullable Versioned record) {
    return record == null ? ReadResult.Absent.ABSENT : new ReadResult.Found(record);
  }

  /** What a corrupted store held is read from it again, or reported as unreadable. */
  private void salvage(CrashModel.State wanted, Set<String> mismatched, Supplier<Object> cause) {
    Map<Key, Salvageable> readable = new HashMap<>();
    List<KeyRange> unreadable = new ArrayList<>();
    Path place = parent.resolve("store");
    try (CorruptedStores stores =
        new CorruptedStores(StoreFixture.disk(StoreFixture.settings(place)))) {
      stores.begin();
      boolean isLast = false;
      while (!isLast) {
        CompletableFuture<Salvaged> answer = new CompletableFuture<>();
        stores.next(new ScanLimits(100, 1 << 20), StoreFixture.INLINE, answer::complete);
        if (!(StoreFixture.await(answer) instanceof Salvaged.Page page)) {
          violation("not salvaged: " + StoreFixture.await(answer), cause);
          return;
        }
        page.records().forEach(record -> readable.put(record.mutation().key(), record));
        unreadable.addAll(page.unreadable());
        isLast = page.isLast();
      }
    }
    for (String key : CrashRun.keys()) {
      Salvageable found = readable.get(Key.of(key));
      String wrong =
          mismatched.contains(key)
              ? wrong(key, found, unreadable)
              : wrong(key, wanted.records().get(key), found, unreadable);
      if (!wrong.isEmpty()) {
        violation(wrong, cause);
      }
    }
  }

  private static String wrong(
      String mismatched, @Nullable Salvageable found, List<KeyRange> unreadable) {
    boolean isNewest = found != null && found.isNewest();
    return isNewest || !CrashRun.contains(unreadable, mismatched)
        ? mismatched + " is salvaged as " + found + ", and its newest record cannot be read"
        : "";
  }

  private static String wrong(
      String key,
      @Nullable Versioned wanted,
      @Nullable Salvageable found,
      List<KeyRange> unreadable) {
    if (found == null) {
      return wanted == null || CrashRun.contains(unreadable, key)
          ? ""
          : key + " is neither salvaged nor reported";
    }
    Versioned record = found.mutation().record();
    if (Objects.equals(record, wanted)) {
      return "";
    }
    return found.isNewest() ? key + " is salvaged as " + record + " instead of " + wanted : "";
  }
}
