package dev.kvorum.operator.act;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A deletion means the object that was read, and no successor of its name. */
@EnableKubernetesMockClient(crud = true, https = false)
@SuppressWarnings("NullAway.Init") // by the extension
class KubernetesWritesTest {
  KubernetesMockServer server;
  KubernetesClient client;

  private static ObjectMeta name() {
    return new ObjectMetaBuilder().withName("kvorum").withNamespace("test").build();
  }

  private DeleteOptions deletion(HasMetadata deleted, String path) throws InterruptedException {
    assertThat(client.resource(deleted).get()).isNull();
    RecordedRequest request = server.takeRequest(10, TimeUnit.SECONDS);
    while (!request.getMethod().equals("DELETE")) {
      request = server.takeRequest(10, TimeUnit.SECONDS);
    }
    assertThat(request.getPath()).isEqualTo(path);
    DeleteOptions options = Serialization.unmarshal(request.getUtf8Body(), DeleteOptions.class);
    assertThat(options.getPreconditions().getUid()).isEqualTo(deleted.getMetadata().getUid());
    assertThat(options.getPreconditions().getResourceVersion())
        .isEqualTo(deleted.getMetadata().getResourceVersion());
    return options;
  }

  @Test
  void aStatefulSetIsDeletedWithoutItsPods() throws InterruptedException {
    StatefulSet set =
        client.resource(new StatefulSetBuilder().withMetadata(name()).build()).create();
    new KubernetesWrites(client).orphan(set);
    assertThat(
            deletion(set, "/apis/apps/v1/namespaces/test/statefulsets/kvorum")
                .getPropagationPolicy())
        .isEqualTo("Orphan");
  }

  @Test
  void aJobIsDeletedWithItsPods() throws InterruptedException {
    Job job = client.resource(new JobBuilder().withMetadata(name()).build()).create();
    new KubernetesWrites(client).removeWithPods(job);
    assertThat(deletion(job, "/apis/batch/v1/namespaces/test/jobs/kvorum").getPropagationPolicy())
        .isEqualTo("Background");
  }
}
