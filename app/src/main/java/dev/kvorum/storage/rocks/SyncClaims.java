package dev.kvorum.storage.rocks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * Reads what batches in the write-ahead log record about the log before them. Each batch starts
 * with the sequence number that was synced when it was created. A batch behind unreadable blocks
 * thus proves that these had been synced, even if {@link SyncedSequence} is older than the log (ADR
 * 0016).
 *
 * <p>A claim holds for the store's entire life, whatever the age of the log that contains it.
 * Batches of an unknown format have no claims.
 */
final class SyncClaims {
  private static final int BATCH_HEADER_BYTES = 12;
  private static final byte LOG_DATA = 3;
  private static final int MAGIC = 0x4b56_5331;
  private static final int CLAIM_BYTES = Integer.BYTES + Long.BYTES;

  private SyncClaims() {}

  /** Encodes a claim as the log data of a write batch. */
  static byte[] encode(long sequence) {
    return ByteBuffer.allocate(CLAIM_BYTES).putInt(MAGIC).putLong(sequence).array();
  }

  /** The newest claim in the logs of a directory; 0 if there is none. Blocks. */
  static long newest(Path directory) throws IOException {
    Newest newest = new Newest();
    for (Path log : LogFragments.logs(directory)) {
      LogFragments.read(log, newest);
    }
    return newest.claim;
  }

  private static final class Newest implements LogFragments.Reader {
    private long claim;

    @Override
    public void intact(byte type, ByteBuffer body, long end) {
      if (type == LogFragments.FULL || type == LogFragments.FIRST) {
        claim = Math.max(claim, claimOf(body));
      }
    }
  }

  /** The claim at the start of a batch; 0 if it has none. */
  private static long claimOf(ByteBuffer batch) {
    int claimAt = BATCH_HEADER_BYTES + 2;
    if (batch.limit() < claimAt + CLAIM_BYTES
        || batch.get(BATCH_HEADER_BYTES) != LOG_DATA
        || batch.get(BATCH_HEADER_BYTES + 1) != CLAIM_BYTES) {
      return 0;
    }
    ByteBuffer claim = batch.duplicate().order(ByteOrder.BIG_ENDIAN);
    return claim.getInt(claimAt) == MAGIC ? claim.getLong(claimAt + Integer.BYTES) : 0;
  }
}
