package dev.kvorum.backup.comparison;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The records of a cluster in the order of their keys. */
interface RecordSource {
  /** The next record; null at the end. Blocks. */
  @Nullable ReadRecord next() throws IOException, InterruptedException;
}
