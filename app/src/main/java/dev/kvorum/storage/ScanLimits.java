package dev.kvorum.storage;

/**
 * Limits of a page of a scan. A page always has at least one record, of any size, if the range has
 * one.
 *
 * @param recordsMax largest number of records, at least 1
 * @param bytesMax largest size of keys and values in bytes, at least 1. Values count even if they
 *     are left out, since this also bounds the bytes read from disk
 */
public record ScanLimits(int recordsMax, int bytesMax) {
  /** Validates the limits. */
  public ScanLimits {
    if (recordsMax < 1 || bytesMax < 1) {
      throw new IllegalArgumentException(
          "a page needs room for at least 1, not " + recordsMax + " records in " + bytesMax);
    }
  }
}
