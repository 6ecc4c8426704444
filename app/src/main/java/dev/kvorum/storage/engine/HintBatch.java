package dev.kvorum.storage.engine;

import dev.kvorum.storage.engine.Engine.Family;
import dev.kvorum.topology.MemberId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The hints in a batch. Updates the ledger once the outcome of the write is known.
 *
 * <p>A hint stored or deleted twice counts once, so each one is looked up first.
 */
final class HintBatch {
  private static final int NONE = -1;

  private final Engine engine;
  private final EngineBatch batch;
  private final HintLedger ledger;
  private final byte[] nothing = new byte[0];

  /** Size in bytes of each hint's record after the batch, or {@link #NONE}. */
  private final Map<HintKey, Integer> staged = new HashMap<>();

  private final List<Booking> kept = new ArrayList<>();
  private final List<Booking> removed = new ArrayList<>();

  private record Booking(MemberId target, long bytes) {}

  HintBatch(Engine engine, EngineBatch batch, HintLedger ledger) {
    this.engine = engine;
    this.batch = batch;
    this.ledger = ledger;
  }

  /** Size in bytes that the ledger counts for a hint. */
  static long bytes(HintKey key, int valueBytes) {
    return (long) key.bytes().length + RecordCodec.HEADER_BYTES + valueBytes;
  }

  void keep(WriteOp.KeepHint hint) throws EngineException {
    HintKey key = hint.key();
    if (recordBytes(key) != NONE) {
      drop(hint);
      return;
    }
    byte[] stored = RecordCodec.encode(hint.mutation().record());
    batch.put(Family.HINTS, key.bytes(), stored);
    staged.put(key, stored.length);
    kept.add(new Booking(hint.target(), (long) key.bytes().length + stored.length));
  }

  /** Removes a hint that will not be written from the ledger. */
  void drop(WriteOp.KeepHint hint) {
    ledger.release(hint.target(), bytes(hint.key(), hint.mutation().record().value().length));
  }

  void remove(WriteOp.RemoveHints hints) throws EngineException {
    for (HintKey key : hints.keys()) {
      int recordBytes = recordBytes(key);
      if (recordBytes != NONE) {
        batch.delete(Family.HINTS, key.bytes());
        staged.put(key, NONE);
        book(key, recordBytes);
      }
    }
  }

  private void book(HintKey key, int recordBytes) {
    try {
      removed.add(new Booking(key.parse().target(), (long) key.bytes().length + recordBytes));
    } catch (CorruptRecordException e) {
      // The ledger has never counted it.
      return;
    }
  }

  private int recordBytes(HintKey key) throws EngineException {
    Integer there = staged.get(key);
    if (there != null) {
      return there;
    }
    int stored = engine.get(Family.HINTS, key.bytes(), nothing);
    return stored == Engine.NOT_FOUND ? NONE : stored;
  }

  /** Updates the ledger. */
  void finish(boolean written) {
    for (Booking booking : written ? removed : kept) {
      ledger.release(booking.target(), booking.bytes());
    }
    staged.clear();
    kept.clear();
    removed.clear();
  }
}
