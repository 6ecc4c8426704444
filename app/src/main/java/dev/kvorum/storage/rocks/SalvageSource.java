package dev.kvorum.storage.rocks;

import dev.kvorum.storage.Salvaged;
import dev.kvorum.storage.ScanLimits;

/** Something that readable records of a corrupted store come from, page by page. */
interface SalvageSource extends AutoCloseable {
  /** Reads on. Blocks. */
  Salvaged.Page next(ScanLimits limits);

  @Override
  void close();
}
