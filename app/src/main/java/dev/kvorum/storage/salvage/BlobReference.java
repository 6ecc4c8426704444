package dev.kvorum.storage.salvage;

import dev.kvorum.storage.rocks.Varint;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Where the value of an entry is in a blob file. Tables contain it in place of the value ({@code
 * db/blob/blob_index.h}): a byte 1, varints of file, offset and length, a byte for the compression.
 * It is shorter than any record.
 */
record BlobReference(long file, long offset, long length) {
  private static final byte BLOB = 1;

  /** Decodes a value of a table; empty if it is no reference. */
  static Optional<BlobReference> of(byte[] inTable) {
    ByteBuffer bytes = ByteBuffer.wrap(inTable);
    try {
      return bytes.get() == BLOB
          ? Optional.of(
              new BlobReference(Varint.read(bytes), Varint.read(bytes), Varint.read(bytes)))
          : Optional.empty();
    } catch (BufferUnderflowException e) {
      return Optional.empty();
    }
  }
}
