package dev.kvorum.storage;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.topology.MemberId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** The hints in RocksDB: written by the group commit, read by iterators here. */
final class RocksHints implements HintStore {
  /** A page ends here however many hints it has: values may be large and the heap is small. */
  private static final long PAGE_BYTES_MAX = 4 << 20;

  private final RocksDatabase database;
  private final Gate readGate;
  private final Gate writeGate;
  private final GroupCommit commits;
  private final HintLedger ledger;
  private final FailureLog failures;
  private final ChecksumVerifier verifier;
  private final LongAdder dropped = new LongAdder();

  RocksHints(
      RocksDatabase database,
      Gate readGate,
      Gate writeGate,
      GroupCommit commits,
      HintLedger ledger,
      FailureLog failures,
      ChecksumVerifier verifier) {
    this.database = database;
    this.readGate = readGate;
    this.writeGate = writeGate;
    this.commits = commits;
    this.ledger = ledger;
    this.failures = failures;
    this.verifier = verifier;
  }

  /** Books every hint on disk; before anything else uses the ledger. */
  static void recount(RocksDatabase database, HintLedger ledger, FailureLog failures)
      throws RocksDBException {
    try (ReadOptions options = new ReadOptions().setFillCache(false);
        RocksIterator all = database.db().newIterator(database.hints(), options)) {
      for (all.seekToFirst(); all.isValid(); all.next()) {
        byte[] key = all.key();
        try {
          ledger.recount(
              HintKey.ofStored(key).parse().target(), (long) key.length + all.value().length);
        } catch (CorruptRecordException e) {
          failures.noteHarmless("passed over a hint", e);
        }
      }
      all.status();
    }
  }

  @Override
  public boolean keep(MemberId target, Mutation mutation) {
    HintKey key = HintKey.of(target, mutation.record().version(), mutation.key());
    long bytes = HintBatch.bytes(key, mutation.record().value().length);
    if (!ledger.reserve(target, bytes)) {
      dropped.increment();
      return false;
    }
    if (!offer(new WriteOp.KeepHint(target, key, mutation))) {
      ledger.release(target, bytes);
      dropped.increment();
      return false;
    }
    return true;
  }

  private boolean offer(WriteOp op) {
    long ticket = writeGate.enter();
    if (ticket == 0) {
      return false;
    }
    try {
      return commits.offer(op);
    } finally {
      writeGate.leave(ticket);
    }
  }

  @Override
  public List<Hint> page(MemberId target, @Nullable Hint after, int countMax) {
    long ticket = readGate.enter();
    if (ticket == 0) {
      return List.of();
    }
    List<HintKey> damaged = new ArrayList<>();
    List<Hint> page = new ArrayList<>();
    try {
      read(target, after, countMax, page, damaged);
    } catch (RocksDBException e) {
      // What was read is good; the rest is asked for again as long as the ledger counts it.
      failures.note("cannot read the hints for " + target, e);
    } finally {
      readGate.leave(ticket);
    }
    if (!damaged.isEmpty()) {
      // Nobody could ever deliver them; anti-entropy brings what they held.
      offer(new WriteOp.ForgetHints(damaged));
    }
    return page;
  }

  private void read(
      MemberId target, @Nullable Hint after, int countMax, List<Hint> page, List<HintKey> damaged)
      throws RocksDBException {
    try (Slice end = new Slice(HintKey.end(target));
        ReadOptions options = new ReadOptions().setIterateUpperBound(end).setFillCache(false);
        RocksIterator hints = database.db().newIterator(database.hints(), options)) {
      long bytes = 0;
      hints.seek(after == null ? HintKey.first(target) : justBehind(after));
      while (hints.isValid() && page.size() < countMax && bytes < PAGE_BYTES_MAX) {
        byte[] key = hints.key();
        byte[] stored = hints.value();
        bytes += key.length + stored.length;
        try {
          HintKey.Parts parts = HintKey.ofStored(key).parse();
          page.add(new Hint(target, hinted(parts.key(), stored)));
        } catch (CorruptRecordException e) {
          // Hints are the short way only; for one of them the records are not given up.
          failures.noteHarmless("dropped a hint for " + target, e);
          damaged.add(HintKey.ofStored(key));
        }
        hints.next();
      }
      hints.status();
    }
  }

  private Mutation hinted(Key key, byte[] stored) throws CorruptRecordException {
    try {
      return new Mutation(key, RecordCodec.decode(key, ByteBuffer.wrap(stored)));
    } catch (ChecksumMismatchException e) {
      verifier.mismatched(ChecksumVerifier.Place.HINT, key, e.version());
      throw e;
    }
  }

  private static HintKey keyOf(Hint hint) {
    Mutation mutation = hint.mutation();
    return HintKey.of(hint.target(), mutation.record().version(), mutation.key());
  }

  private static byte[] justBehind(Hint hint) {
    byte[] key = keyOf(hint).bytes();
    return Arrays.copyOf(key, key.length + 1);
  }

  @Override
  public void forget(List<Hint> hints) {
    if (!hints.isEmpty()) {
      // When the queue is full they stay and are delivered once more, which changes nothing.
      offer(new WriteOp.ForgetHints(hints.stream().map(RocksHints::keyOf).toList()));
    }
  }

  @Override
  public Set<MemberId> targets() {
    return ledger.targets();
  }

  @Override
  public long bytes() {
    return ledger.bytes();
  }

  @Override
  public long count(MemberId target) {
    return ledger.count(target);
  }

  /** Hints that were not kept, since the store was opened. */
  long dropped() {
    return dropped.sum();
  }
}
