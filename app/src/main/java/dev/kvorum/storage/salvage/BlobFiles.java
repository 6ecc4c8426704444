package dev.kvorum.storage.salvage;

import dev.kvorum.storage.engine.RecordCodec;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blob files of a corrupted store: what tables refer to, and all entries merged in key order.
 * The entries include overwritten and removed records that were not collected yet. Confined to one
 * thread.
 */
final class BlobFiles implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(BlobFiles.class);

  /** Bytes that are freed at a time at least, and for each file: blocks have 4 KiB, or more. */
  private static final long FREED_BYTES_MIN = 1 << 20;

  private static final long FREED_BYTES_OF_A_FILE = 64 << 10;

  private final Map<Long, BlobFile> byNumber = new HashMap<>();
  private final PriorityQueue<BlobFile> unread =
      new PriorityQueue<>((a, b) -> SalvageTable.compare(a.entry().key(), b.entry().key()));
  private final NavigableMap<byte[], List<BlobFile.Entry>> read =
      new TreeMap<>(SalvageTable::compare);

  private BlobFiles() {}

  /** Opens the files of a directory. Blocks. */
  static BlobFiles open(Path directory) throws IOException {
    BlobFiles files = new BlobFiles();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, "*.blob")) {
      for (Path path : all) {
        files.add(path);
      }
      return files;
    } catch (IOException | RuntimeException e) {
      files.close();
      throw e;
    }
  }

  private void add(Path path) {
    try {
      BlobFile file = BlobFile.open(path);
      byNumber.put(file.number(), file);
      advance(file);
    } catch (IOException | NumberFormatException e) {
      log.warn("{} cannot be opened", path, e);
    }
  }

  private void advance(BlobFile file) {
    if (file.next()) {
      unread.add(file);
    }
  }

  /**
   * The record for which a value in a table stands: itself, or what it refers to.
   *
   * @return empty if that is unreadable
   */
  Optional<byte[]> resolve(byte[] key, byte[] inTable) {
    if (inTable.length >= RecordCodec.HEADER_BYTES_MIN) {
      return Optional.of(inTable);
    }
    return BlobReference.of(inTable)
        .flatMap(reference ->
            Optional.ofNullable(byNumber.get(reference.file()))
                .flatMap(file -> file.value(key, reference)));
  }

  /**
   * Entries of a range of keys.
   *
   * @param newest by key, the newest readable value
   * @param end the first key behind the range; null: no end
   * @param isCut whether more follow in the range that was asked for
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Page(NavigableMap<byte[], byte[]> newest, byte @Nullable [] end, boolean isCut) {}

  /**
   * Reads entries up to a number of bytes, and at least those of one key. Blocks.
   *
   * @param from the first key, not before that of an earlier call; null: the first of all
   * @param before the first key behind the range; null: no end
   */
  Page page(byte @Nullable [] from, byte @Nullable [] before, long bytesMax) {
    if (from != null) {
      read.headMap(from, false).clear();
      while (!unread.isEmpty() && SalvageTable.compare(unread.element().entry().key(), from) < 0) {
        advance(unread.remove());
      }
    }
    long bytes = read.values().stream().flatMap(List::stream).mapToLong(BlobFiles::bytes).sum();
    while (!unread.isEmpty() && isBefore(unread.element().entry().key(), before)) {
      BlobFile.Entry next = unread.element().entry();
      if (bytes >= bytesMax && !Arrays.equals(read.lastKey(), next.key())) {
        return new Page(newest(read), next.key(), true);
      }
      bytes += bytes(next);
      read.computeIfAbsent(next.key(), key -> new ArrayList<>()).add(next);
      advance(unread.remove());
    }
    return new Page(newest(before == null ? read : read.headMap(before, false)), before, false);
  }

  /**
   * Passes over the entries up to a key, which are not needed any more.
   *
   * @return files to be freed of such entries; empty while these are few
   */
  List<BlobFile> pass(byte[] last) {
    while (!unread.isEmpty() && SalvageTable.compare(unread.element().entry().key(), last) <= 0) {
      advance(unread.remove());
    }
    long freeable = byNumber.values().stream().mapToLong(BlobFile::freeable).sum();
    return freeable < Math.max(FREED_BYTES_MIN, FREED_BYTES_OF_A_FILE * byNumber.size())
        ? List.of()
        : byNumber.values().stream().filter(file -> file.freeable() > 0).toList();
  }

  private static NavigableMap<byte[], byte[]> newest(Map<byte[], List<BlobFile.Entry>> entries) {
    NavigableMap<byte[], byte[]> newest = new TreeMap<>(SalvageTable::compare);
    entries.forEach((key, ofKey) ->
        ofKey.stream()
            .flatMap(entry -> entry.value().stream())
            .reduce(RecordCodec::newer)
            .ifPresent(value -> newest.put(key, value)));
    return newest;
  }

  private static long bytes(BlobFile.Entry entry) {
    return entry.key().length + (long) entry.length();
  }

  private static boolean isBefore(byte[] key, byte @Nullable [] end) {
    return end == null || SalvageTable.compare(key, end) < 0;
  }

  @Override
  public void close() {
    byNumber.values().forEach(BlobFile::close);
  }
}
