package dev.kvorum.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassListBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Instant;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
class StorageClassesTest {
  private static final String PATH = "/apis/storage.k8s.io/v1/storageclasses";

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesMockServer server;

  @SuppressWarnings("NullAway.Init") // by the extension
  KubernetesClient client;

  private void thereIs(String name, String isDefault) {
    server
        .expect()
        .withPath(PATH)
        .andReturn(
            200,
            new StorageClassListBuilder()
                .addToItems(
                    new StorageClassBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToAnnotations("storageclass.kubernetes.io/is-default-class", isDefault)
                        .endMetadata()
                        .build())
                .build())
        .once();
  }

  @Test
  void aClassThatIsMissingIsNamed() {
    thereIs("slow", "false");
    StorageClasses classes = new StorageClasses(new Reads(client, Instant.EPOCH));
    assertThat(classes.missing("slow")).isEmpty();
    assertThat(classes.missing("fast")).contains("there is no storage class fast");
    assertThat(classes.missing(null)).contains("there is no default storage class");
  }

  @Test
  void aDefaultClassIsFound() {
    thereIs("slow", "true");
    StorageClasses classes = new StorageClasses(new Reads(client, Instant.EPOCH));
    assertThat(classes.missing(null)).isEmpty();
    assertThat(classes.find(null)).isPresent();
  }

  @Test
  void whereTheyCannotBeSeenNoneIsMissing() {
    server.expect().withPath(PATH).andReturn(403, "").once();
    StorageClasses classes = new StorageClasses(new Reads(client, Instant.EPOCH));
    assertThat(classes.missing("fast")).isEmpty();
    assertThat(classes.find("fast")).isEmpty();
  }
}
