package dev.kvorum.backup;

import java.util.Locale;

/**
 * A member's part of a backup, as far as it has come.
 *
 * @param id of the backup
 * @param message why it failed; empty if it did not
 * @param bytes of all files of the checkpoint
 * @param doneBytes of the files that are in the object store
 * @param uploadedBytes of those that were not there before
 * @param pinnedBytes of files that the store has deleted and the checkpoint still has
 */
public record BackupStatus(
    String id,
    Phase phase,
    String message,
    long bytes,
    long doneBytes,
    long uploadedBytes,
    long pinnedBytes) {
  /** Where it is. */
  public enum Phase {
    /** The store is being copied. */
    CHECKPOINT,
    /** Files that are not known are read for their SHA-256. */
    HASH,
    UPLOAD,
    /** The member's part is complete. */
    DONE,
    FAILED;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    boolean isOver() {
      return this == DONE || this == FAILED;
    }
  }

  static BackupStatus begun(String id) {
    return new BackupStatus(id, Phase.CHECKPOINT, "", 0, 0, 0, 0);
  }

  BackupStatus failed(String why) {
    return new BackupStatus(id, Phase.FAILED, why, bytes, doneBytes, uploadedBytes, 0);
  }

  BackupStatus done() {
    return new BackupStatus(id, Phase.DONE, "", bytes, doneBytes, uploadedBytes, 0);
  }

  BackupStatus hashing(long allBytes) {
    return new BackupStatus(id, Phase.HASH, "", allBytes, 0, 0, pinnedBytes);
  }

  BackupStatus uploading() {
    return new BackupStatus(id, Phase.UPLOAD, "", bytes, doneBytes, uploadedBytes, pinnedBytes);
  }

  BackupStatus had(long more, boolean isUploaded) {
    long uploaded = uploadedBytes + (isUploaded ? more : 0);
    return new BackupStatus(id, phase, "", bytes, doneBytes + more, uploaded, pinnedBytes);
  }

  BackupStatus pinning(long pinned) {
    return new BackupStatus(id, phase, message, bytes, doneBytes, uploadedBytes, pinned);
  }
}
