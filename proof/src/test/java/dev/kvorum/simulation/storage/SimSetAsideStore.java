package dev.kvorum.simulation.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.Salvaged.Salvageable;
import dev.kvorum.storage.ScanLimits;
import dev.kvorum.storage.salvage.ReleasedPart;
import dev.kvorum.storage.salvage.SetAsideStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A corrupted store on a simulated disk. */
final class SimSetAsideStore implements SetAsideStore {
  private final CorruptedImage image;
  private final DiskSteps steps;
  private final RandomGenerator random;
  private boolean isOpen;

  /** The last key that was passed; null: none. */
  private @Nullable Key passed;

  SimSetAsideStore(CorruptedImage image, DiskSteps steps, RandomGenerator random) {
    this.image = image;
    this.steps = steps;
    this.random = random;
  }

  @Override
  public Optional<ReleasedPart> released() {
    return Optional.ofNullable(image.released);
  }

  @Override
  public void keepReleased(ReleasedPart part) throws IOException {
    steps.write();
    image.released = part;
  }

  @Override
  public Salvaged.Page next(ScanLimits limits, Optional<Key> behind) throws IOException {
    steps.read();
    List<KeyRange> gaps = new ArrayList<>();
    if (!isOpen) {
      isOpen = true;
      passed = image.isInOrder ? behind.orElse(null) : null;
      if (image.isIncomplete()) {
        gaps.add(KeyRange.ALL);
      }
    }
    Key from = passed;
    List<Salvageable> records = new ArrayList<>();
    for (Map.Entry<Key, Salvageable> next : behind(from, image.readable).entrySet()) {
      if (records.size() == limits.recordsMax()) {
        gapsUpTo(from, passed, gaps);
        return new Salvaged.Page(records, gaps, false);
      }
      records.add(next.getValue());
      passed = next.getKey();
    }
    gapsUpTo(from, null, gaps);
    return new Salvaged.Page(records, gaps, true);
  }

  private static <V> NavigableMap<Key, V> behind(@Nullable Key key, NavigableMap<Key, V> all) {
    return key == null ? all : all.tailMap(key, false);
  }

  private void gapsUpTo(@Nullable Key from, @Nullable Key to, List<KeyRange> gaps) {
    for (Key key : image.unreadable) {
      if ((from == null || key.compareTo(from) > 0) && (to == null || key.compareTo(to) <= 0)) {
        gaps.add(KeyRange.only(key));
      }
    }
  }

  @Override
  public boolean isInOrder() {
    return isOpen && image.isInOrder;
  }

  @Override
  public boolean isLogComplete() {
    return image.isLogComplete && image.isInOrder;
  }

  @Override
  public void deleteUpTo(Key key, BeforeDeletion before) throws IOException {
    List<Key> stored = List.copyOf(image.readable.headMap(key, true).keySet());
    if (stored.isEmpty() || random.nextInt(3) == 0) {
      return;
    }
    before.run();
    for (Key each : stored) {
      if (random.nextInt(4) > 0) {
        steps.write();
        delete(each);
      }
    }
    isOpen = random.nextBoolean();
  }

  private void delete(Key key) {
    image.readable.remove(key);
    image.unreadable.remove(key);
  }

  @Override
  public void deleteAll() throws IOException {
    isOpen = false;
    steps.write();
    image.readable.clear();
    image.unreadable.clear();
  }

  @Override
  public void close() {
    isOpen = false;
  }
}
