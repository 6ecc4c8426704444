package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;

/** What a complete backup contains. */
public record BackupResult(
    @JsonPropertyDescription(
            "Every write acknowledged before is in it, in that version or a newer one.")
        String began,
    @JsonPropertyDescription("Nothing was written after.") String ended,
    @JsonPropertyDescription("Members that made their part, of all members: 3/3.") String members,
    @JsonPropertyDescription(
            "Numbers of copies whose acknowledged writes are in it; all, unless members are "
                + "missing.")
        List<Integer> covered,
    @JsonPropertyDescription("Bytes of all files.") Long bytes,
    @JsonPropertyDescription("Bytes of those files that the object store did not have yet.")
        Long uploadedBytes) {
  public BackupResult {
    covered = List.copyOf(covered);
  }
}
