package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Where backups of a cluster go, and with which secrets. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.s3) != has(self.volume)",
    message = "either s3 or volume is required")
public record BackupSpec(
    @JsonPropertyDescription("A bucket of S3.") @Nullable S3Spec s3,
    @JsonPropertyDescription("A volume that all members and the Jobs of backups mount.")
        @Nullable BackupVolumeSpec volume,
    @JsonPropertyDescription(
            "A Secret with the keys AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and "
                + "AWS_SESSION_TOKEN if needed. Read again for each backup.")
        @Nullable ObjectReference credentialsRef,
    @JsonPropertyDescription(
            "A Secret with the key backup.key, as `kvorum-backup keygen` writes it, which encrypts "
                + "all objects. Without the key the backups are lost.")
        @Nullable ObjectReference encryptionRef) {
  /** A bucket. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record S3Spec(
      @JsonPropertyDescription("Its name. It has to exist.")
          @Required
          @Pattern("^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$")
          String bucket,
      @JsonPropertyDescription("What the names of all objects begin with.")
          @Pattern("^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$")
          @Nullable String prefix,
      @JsonPropertyDescription(
              "Scheme, host and port of the server, such as https://s3.example:9000; default AWS.")
          @Pattern("^https?://[^/?#&@]+$")
          @Nullable String endpoint,
      @JsonPropertyDescription("Its region; default us-east-1.") @Pattern("^[a-z0-9-]{1,40}$")
          @Nullable String region,
      @JsonPropertyDescription(
              "true: the bucket is in the path, the default with an endpoint; false: in the host "
                  + "name.")
          @Nullable Boolean pathStyle) {}

  /** A volume. */
  public record BackupVolumeSpec(
      @JsonPropertyDescription(
              "A PersistentVolumeClaim that all pods can mount at once (ReadWriteMany).")
          @Required
          String claimName) {}
}
