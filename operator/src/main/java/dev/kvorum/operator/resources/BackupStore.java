package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.BackupSpec;
import dev.kvorum.operator.api.BackupSpec.S3Spec;
import dev.kvorum.operator.api.ObjectReference;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import io.fabric8.kubernetes.api.model.VolumeProjectionBuilder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Where backups go, as pods are told: a URL, and what they are mounted. */
public final class BackupStore {
  /** Where the volume for backups is mounted. */
  public static final String DIRECTORY = "/backups";

  /** Where the files with credentials and the encryption key are mounted. */
  public static final String SECRETS = "/etc/kvorum/backup";

  /** The file with the encryption key, and its key in the Secret. */
  public static final String KEY = "backup.key";

  /** Setting of where nodes may be ordered to send backups. */
  static final String STORES = "kvorum.backup.stores";

  /** Setting of the directory of {@link #SECRETS}. */
  static final String SECRETS_DIR = "kvorum.backup.secrets-dir";

  private static final String VOLUME = "backups";
  private static final String SECRETS_VOLUME = "backup-secrets";

  private BackupStore() {}

  /**
   * The URL of the store, which all pods of a cluster have to write in the same way: nodes compare
   * the parameters as text. Empty, which nodes take for nowhere, if the spec has no store.
   */
  public static String url(BackupSpec backup) {
    if (backup.volume() != null) {
      return "file://" + DIRECTORY;
    }
    S3Spec s3 = backup.s3();
    if (s3 == null) {
      return "";
    }
    List<String> parameters = new ArrayList<>();
    if (s3.endpoint() != null) {
      parameters.add("endpoint=" + encoded(s3.endpoint()));
    }
    if (s3.region() != null) {
      parameters.add("region=" + encoded(s3.region()));
    }
    if (s3.pathStyle() != null) {
      parameters.add("pathStyle=" + s3.pathStyle());
    }
    return "s3://"
        + s3.bucket()
        + (s3.prefix() == null ? "" : "/" + s3.prefix())
        + (parameters.isEmpty() ? "" : "?" + String.join("&", parameters));
  }

  /** As in a query, where colons and slashes may stay; not commas, which separate stores. */
  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("%3A", ":").replace("%2F", "/");
  }

  /** Whether there is a directory {@link #SECRETS}. */
  public static boolean hasSecrets(BackupSpec backup) {
    return backup.credentialsRef() != null || backup.encryptionRef() != null;
  }

  /** The volumes of a pod that reads or writes backups; the group of its volumes reads secrets. */
  public static List<Volume> volumes(BackupSpec backup) {
    List<Volume> volumes = new ArrayList<>();
    if (backup.volume() != null) {
      volumes.add(
          new VolumeBuilder()
              .withName(VOLUME)
              .withNewPersistentVolumeClaim()
              .withClaimName(backup.volume().claimName())
              .endPersistentVolumeClaim()
              .build());
    }
    if (hasSecrets(backup)) {
      volumes.add(
          new VolumeBuilder()
              .withName(SECRETS_VOLUME)
              .withNewProjected()
              .withDefaultMode(PodTemplates.READ_BY_GROUP)
              .withSources(sources(backup))
              .endProjected()
              .build());
    }
    return volumes;
  }

  /** Where the container of such a pod finds them. */
  public static List<VolumeMount> mounts(BackupSpec backup) {
    List<VolumeMount> mounts = new ArrayList<>();
    if (backup.volume() != null) {
      mounts.add(new VolumeMountBuilder().withName(VOLUME).withMountPath(DIRECTORY).build());
    }
    if (hasSecrets(backup)) {
      mounts.add(PodTemplates.readOnly(SECRETS_VOLUME, SECRETS));
    }
    return mounts;
  }

  private static List<VolumeProjection> sources(BackupSpec backup) {
    List<VolumeProjection> sources = new ArrayList<>();
    if (backup.credentialsRef() != null) {
      sources.add(secret(backup.credentialsRef()));
    }
    if (backup.encryptionRef() != null) {
      sources.add(
          new VolumeProjectionBuilder(secret(backup.encryptionRef()))
              .editSecret()
              .addNewItem()
              .withKey(KEY)
              .withPath(KEY)
              .endItem()
              .endSecret()
              .build());
    }
    return sources;
  }

  /** Optional: a member that waited for a Secret of backups would serve no one meanwhile. */
  private static VolumeProjection secret(ObjectReference secret) {
    return new VolumeProjectionBuilder()
        .withNewSecret()
        .withName(secret.name())
        .withOptional(true)
        .endSecret()
        .build();
  }
}
