package dev.kvorum.storage.salvage;

import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.ScanLimits;
import java.io.IOException;

/** A source of readable records of a corrupted store, page by page. */
interface SalvageSource extends AutoCloseable {
  /** Reads the next page. Blocks. */
  Salvaged.Page next(ScanLimits limits) throws IOException;

  @Override
  void close();
}
