package dev.kvorum.storage.engine;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.engine.Engine.Family;
import dev.kvorum.topology.MemberId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The hints of a store: written by the group commit, read by iterators here. */
final class StoredHints implements HintStore {
  /** Size in bytes at which a page ends: values may be large and the heap is small. */
  private static final long PAGE_BYTES_MAX = 4 << 20;

  private final Engine engine;
  private final Gate readGate;
  private final GroupCommit commits;
  private final HintLedger ledger;
  private final FailureLog failures;
  private final ChecksumVerifier verifier;
  private final LongAdder dropped = new LongAdder();

  StoredHints(
      Engine engine,
      Gate readGate,
      GroupCommit commits,
      HintLedger ledger,
      FailureLog failures,
      ChecksumVerifier verifier) {
    this.engine = engine;
    this.readGate = readGate;
    this.commits = commits;
    this.ledger = ledger;
    this.failures = failures;
    this.verifier = verifier;
  }

  /** Adds every hint on disk to the ledger. Call it before any other use of the ledger. */
  static void recount(Engine engine, HintLedger ledger, FailureLog failures)
      throws EngineException {
    try (Engine.Cursor all = engine.cursor(Family.HINTS, null, null)) {
      for (all.seekToFirst(); all.isValid(); all.next()) {
        byte[] key = all.key();
        try {
          ledger.recount(
              HintKey.ofStored(key).parse().target(), (long) key.length + all.value().length);
        } catch (CorruptRecordException e) {
          failures.noteHarmless("skipped a hint", e);
        }
      }
      all.check();
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
    return commits.offer(op) == null;
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
    } catch (EngineException e) {
      // The hints read so far are good; the rest is read again as long as the ledger counts it.
      failures.note("cannot read the hints for " + target, e);
    } finally {
      readGate.leave(ticket);
    }
    if (!damaged.isEmpty()) {
      // Damaged hints can never be delivered; anti-entropy repairs their records.
      offer(new WriteOp.RemoveHints(damaged));
    }
    return page;
  }

  private void read(
      MemberId target, @Nullable Hint after, int countMax, List<Hint> page, List<HintKey> damaged)
      throws EngineException {
    byte[] first = after == null ? HintKey.first(target) : justBehind(after);
    try (Engine.Cursor hints = engine.cursor(Family.HINTS, first, HintKey.end(target))) {
      long bytes = 0;
      hints.seekToFirst();
      while (hints.isValid() && page.size() < countMax && bytes < PAGE_BYTES_MAX) {
        byte[] key = hints.key();
        byte[] stored = hints.value();
        bytes += key.length + stored.length;
        try {
          HintKey.Parts parts = HintKey.ofStored(key).parse();
          page.add(new Hint(target, hinted(parts.key(), stored)));
        } catch (CorruptRecordException e) {
          // Hints are only an optimization; a failure of one must not fail the records.
          failures.noteHarmless("dropped a hint for " + target, e);
          damaged.add(HintKey.ofStored(key));
        }
        hints.next();
      }
      hints.check();
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
  public void remove(List<Hint> hints) {
    if (!hints.isEmpty()) {
      // If the queue is full, the hints stay and are delivered again, which changes nothing.
      offer(new WriteOp.RemoveHints(hints.stream().map(StoredHints::keyOf).toList()));
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

  /** Number of hints dropped since the store was opened. */
  long dropped() {
    return dropped.sum();
  }
}
