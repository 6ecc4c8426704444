package dev.kvorum.backup.restore;

import java.util.List;
import java.util.Locale;

/**
 * A node's part in a restore.
 *
 * @param id of the backup that is restored; empty if none is
 * @param message why it failed, or what it waits for; empty if neither
 * @param done sources whose records are stored
 * @param records read from checkpoints and stored, since this process started
 * @param bytes of their keys and values
 * @param finished id of the last backup whose restore was finished; empty if none was
 */
public record RestoreStatus(
    String id,
    Phase phase,
    String message,
    List<String> done,
    long records,
    long bytes,
    String finished) {
  public RestoreStatus {
    done = List.copyOf(done);
  }

  /** Where it is. */
  public enum Phase {
    /** No backup is being restored. */
    NONE,
    /** The node serves no clients, and has no order or has carried it out. */
    WAITING,
    DOWNLOAD,
    /** Records are stored at their owners. */
    STORE,
    FAILED;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
