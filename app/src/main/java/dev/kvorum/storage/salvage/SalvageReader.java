package dev.kvorum.storage.salvage;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.ScanLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one set-aside store and deletes files and parts of files whose records are stored again. A
 * store that is opened again continues behind the last key that was returned. Confined to one
 * thread.
 */
final class SalvageReader implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SalvageReader.class);

  private final String name;
  private final SetAsideStore store;
  private final List<KeyRange> unreadable = new ArrayList<>();
  private final List<KeyRange> unreported = new ArrayList<>();
  private Optional<Key> returned = Optional.empty();
  private Optional<Key> stored = Optional.empty();
  private boolean hasBegun;
  private boolean isWholeReleased;
  private boolean isRead;

  SalvageReader(String name, SetAsideStore store) {
    this.name = name;
    this.store = store;
  }

  /** Returns whether the last page was returned. */
  boolean isRead() {
    return isRead;
  }

  /** Reads the next page; the records of the one before are stored. Blocks. */
  Salvaged.Page next(ScanLimits limits) throws IOException {
    if (!hasBegun) {
      resume();
    }
    stored = returned;
    if (isWholeReleased) {
      isRead = true;
      return new Salvaged.Page(List.of(), List.copyOf(unreadable), true);
    }
    Salvaged.Page page = store.next(limits, returned);
    note(page.unreadable());
    if (store.isInOrder() && !page.records().isEmpty()) {
      returned = Optional.of(page.records().getLast().mutation().key());
    }
    isRead = page.isLast();
    List<KeyRange> found = List.copyOf(unreported);
    unreported.clear();
    return new Salvaged.Page(page.records(), found, isRead);
  }

  private void resume() throws IOException {
    store
        .released()
        .ifPresent(part -> {
          isWholeReleased = part.isWhole();
          returned = part.upTo();
          note(part.unreadable());
        });
    hasBegun = true;
    log.info("Salvaging the corrupted store {}", name);
  }

  private void note(List<KeyRange> ranges) {
    unreported.addAll(ranges);
    Salvaged.addUnreadable(unreadable, ranges);
  }

  /** Deletes the files and parts of files of which all records are stored again. Blocks. */
  void releaseStored(boolean hasSingleCopies) throws IOException {
    if (store.isInOrder() && stored.isPresent()) {
      store.deleteUpTo(stored.get(), () -> keep(false, hasSingleCopies));
    }
  }

  /** Deletes all files, since all readable records are stored again. Blocks. */
  void releaseAll(boolean hasSingleCopies) throws IOException {
    if (!isWholeReleased) {
      keep(true, hasSingleCopies);
      isWholeReleased = true;
      log.info("Deleting the files in {}: their records are stored again", name);
    }
    store.deleteAll();
  }

  private void keep(boolean isWhole, boolean hasSingleCopies) throws IOException {
    store.keepReleased(
        new ReleasedPart(
            isWhole,
            isWhole ? Optional.empty() : stored,
            store.isLogComplete(),
            hasSingleCopies,
            unreadable));
  }

  @Override
  public void close() {
    store.close();
  }
}
