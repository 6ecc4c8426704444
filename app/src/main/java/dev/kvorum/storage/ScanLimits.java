package dev.kvorum.storage;

/**
 * Where a page of a scan ends. A page always has a record if the range has one, however large.
 *
 * @param recordsMax most records, 1 or more
 * @param bytesMax most bytes of keys and values, 1 or more; values count though they be left out,
 *     since this also bounds what is read from the disk
 */
public record ScanLimits(int recordsMax, int bytesMax) {
  /** Checks the limits. */
  public ScanLimits {
    if (recordsMax < 1 || bytesMax < 1) {
      throw new IllegalArgumentException(
          "a page has room for 1 or more, not " + recordsMax + " records in " + bytesMax);
    }
  }
}
