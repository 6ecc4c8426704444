package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** What a new cluster begins with. */
public record BootstrapSpec(
    @JsonPropertyDescription("A backup, whose records it begins with.") @Required
        RestoreSpec restore) {
  /** Which backup, of those where spec.backup says that backups go. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @ValidationRule(
      value = "has(self.backup) != has(self.source)",
      message = "restore needs either backup or source")
  public record RestoreSpec(
      @JsonPropertyDescription("Name of a complete KvorumBackup in this namespace.")
          @Size(min = 1, max = 45)
          @Nullable String backup,
      @JsonPropertyDescription("A backup in the object store.") @Nullable RestoreSource source) {}

  /** A backup in an object store. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RestoreSource(
      @JsonPropertyDescription("Id of the cluster that was backed up: its status.clusterId.")
          @Required
          @Size(min = 1, max = 100)
          String clusterId,
      @JsonPropertyDescription("Id of the backup, or latest.")
          @Default("latest")
          @Pattern("^(latest|[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8})$")
          @Size(max = 25)
          @Nullable String id,
      @JsonPropertyDescription("Name of the schedule whose latest backup it is.")
          @Size(min = 1, max = 30)
          @Nullable String schedule) {}
}
