package dev.kvorum.operator.resources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.BackupSpec;
import dev.kvorum.operator.api.BackupSpec.S3Spec;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BackupStoreTest {
  private static final Map<String, Object> VOLUME = Map.of("claimName", "all-backups");
  private static final Map<String, Object> CREDENTIALS = Map.of("name", "s3-access");
  private static final Map<String, Object> KEY = Map.of("name", "s3-key");

  private static String url(
      @Nullable String prefix,
      @Nullable String endpoint,
      @Nullable String region,
      @Nullable Boolean pathStyle) {
    S3Spec s3 = new S3Spec("records", prefix, endpoint, region, pathStyle);
    return BackupStore.url(new BackupSpec(s3, null, null, null));
  }

  @Test
  void theUrlOfABucketHasWhatIsSet() {
    assertThat(url(null, null, null, null)).isEqualTo("s3://records");
    assertThat(url("a/b", "https://s3.example:9000", "eu-1", false))
        .isEqualTo("s3://records/a/b?endpoint=https://s3.example:9000&region=eu-1&pathStyle=false");
    assertThat(url(null, null, "eu-1", null)).isEqualTo("s3://records?region=eu-1");
    assertThat(url("a", null, null, true)).isEqualTo("s3://records/a?pathStyle=true");
  }

  @Test
  void whatNodesWouldReadOtherwiseIsEncoded() {
    assertThat(url(null, "http://[::1]:9000", null, null))
        .isEqualTo("s3://records?endpoint=http://%5B::1%5D:9000");
    assertThat(url(null, "http://a,file:+%", null, null))
        .as("no second store")
        .isEqualTo("s3://records?endpoint=http://a%2Cfile:%2B%25");
  }

  @Test
  void aSpecThatNoApiServerHasCheckedPermitsNoStore() {
    assertThat(BackupStore.url(new BackupSpec(null, null, null, null))).isEmpty();
  }

  @Test
  void membersAreMountedTheVolume() {
    PodSpec pod = pod(Specs.withBackup(3, Map.of("volume", VOLUME)));
    assertThat(pod.getVolumes())
        .filteredOn(volume -> volume.getPersistentVolumeClaim() != null)
        .singleElement()
        .satisfies(volume -> {
          assertThat(volume.getPersistentVolumeClaim().getClaimName()).isEqualTo("all-backups");
          assertThat(volume.getPersistentVolumeClaim().getReadOnly()).isNull();
        });
    assertThat(mounts(pod)).containsExactly("/backups");
    assertThat(variables(pod)).containsExactly("KVORUM_BACKUP_STORES=file:///backups");
  }

  @Test
  void membersAreMountedAllSecretsInOneDirectory() {
    Map<String, Object> s3 = Map.of("bucket", "records");
    PodSpec pod =
        pod(
            Specs.withBackup(
                3, Map.of("s3", s3, "credentialsRef", CREDENTIALS, "encryptionRef", KEY)));
    assertThat(pod.getVolumes())
        .filteredOn(volume -> volume.getProjected() != null)
        .singleElement()
        .satisfies(volume -> {
          assertThat(volume.getProjected().getDefaultMode()).as("not by others").isEqualTo(0440);
          assertThat(volume.getProjected().getSources())
              .allSatisfy(source -> assertThat(source.getSecret().getOptional()).isTrue())
              .extracting(source -> source.getSecret().getName())
              .containsExactly("s3-access", "s3-key");
          assertThat(volume.getProjected().getSources().getFirst().getSecret().getItems())
              .as("AWS_SESSION_TOKEN may be missing")
              .isEmpty();
          assertThat(volume.getProjected().getSources().getLast().getSecret().getItems())
              .singleElement()
              .satisfies(item -> assertThat(item.getPath()).isEqualTo("backup.key"));
        });
    assertThat(mounts(pod)).containsExactly("/etc/kvorum/backup read-only");
    assertThat(variables(pod))
        .containsExactly(
            "KVORUM_BACKUP_STORES=s3://records", "KVORUM_BACKUP_SECRETSDIR=/etc/kvorum/backup");
  }

  @Test
  void eachPartOfItRestartsMembers() {
    List<String> hashes =
        List.of(
            hash(Specs.of(Map.of("replicas", 3))),
            hash(Specs.withBackup(3, Map.of("volume", VOLUME))),
            hash(Specs.withBackup(3, Map.of("volume", Map.of("claimName", "other")))),
            hash(Specs.withBackup(3, Map.of("s3", Map.of("bucket", "records")))),
            hash(Specs.withBackup(3, Map.of("volume", VOLUME, "credentialsRef", CREDENTIALS))),
            hash(Specs.withBackup(3, Map.of("volume", VOLUME, "encryptionRef", CREDENTIALS))),
            hash(Specs.withBackup(3, Map.of("volume", VOLUME, "encryptionRef", KEY))));
    assertThat(hashes).doesNotHaveDuplicates();
  }

  private static PodSpec pod(KvorumClusterSpec spec) {
    return ObjectsTest.set(spec).getSpec().getTemplate().getSpec();
  }

  private static String hash(KvorumClusterSpec spec) {
    KvorumCluster cluster = Specs.cluster(spec);
    return SpecHash.of(cluster, PeerTls.wanted(cluster), false);
  }

  private static List<String> mounts(PodSpec pod) {
    return node(pod).getVolumeMounts().stream()
        .filter(mount -> mount.getName().startsWith("backup"))
        .map(BackupStoreTest::shown)
        .toList();
  }

  private static String shown(VolumeMount mount) {
    return mount.getMountPath()
        + (Boolean.TRUE.equals(mount.getReadOnly()) ? " read-only" : "")
        + (mount.getSubPath() == null ? "" : ", never updated");
  }

  private static List<String> variables(PodSpec pod) {
    return node(pod).getEnv().stream()
        .filter(variable -> variable.getName().startsWith("KVORUM_BACKUP"))
        .map((EnvVar variable) -> variable.getName() + "=" + variable.getValue())
        .toList();
  }

  private static Container node(PodSpec pod) {
    return pod.getContainers().getFirst();
  }
}
