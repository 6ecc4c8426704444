package dev.kvorum.operator.loadtest.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.api.KvorumLoadTestSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LoadJobsTest {
  private static KvorumLoadTest test(int threads, int connections) {
    KvorumLoadTest test = new KvorumLoadTest();
    test.setMetadata(
        new ObjectMetaBuilder().withName("sweep").withNamespace("shop").withUid("uid").build());
    test.setSpec(
        new ObjectMapper()
            .convertValue(
                Map.of(
                    "cluster",
                    "kvorum",
                    "threads",
                    threads,
                    "connections",
                    connections,
                    "rates",
                    new long[] {1000}),
                KvorumLoadTestSpec.class));
    return test;
  }

  private static void offers(Job job, int connections) {
    Container container = job.getSpec().getTemplate().getSpec().getContainers().getFirst();
    assertThat(container.getArgs()).containsSequence("-c", Integer.toString(connections));
    Map<String, String> environment =
        container.getEnv().stream().collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
    assertThat(environment).containsEntry("CONNECTIONS", Integer.toString(connections));
  }

  @Test
  void aFillingHasNoMoreConnectionsThanNodesTakeRequests() {
    offers(LoadJobs.of(test(2, 5000), 0, false), 5000);
    offers(LoadJobs.fill(test(2, 5000), 0, false), 64);
    offers(LoadJobs.fill(test(2, 10), 0, false), 10);
    offers(LoadJobs.fill(test(64, 64), 0, false), 64);
  }

  @Test
  void aClusterIsLoadedAsItsClientsHaveTo() {
    assertThat(url(LoadJobs.of(test(2, 64), 0, false))).isEqualTo("http://kvorum.shop.svc:8080");
    assertThat(url(LoadJobs.fill(test(2, 64), 0, true))).isEqualTo("https://kvorum.shop.svc:8080");
  }

  private static String url(Job job) {
    return job.getSpec().getTemplate().getSpec().getContainers().getFirst().getArgs().stream()
        .filter(argument -> argument.contains("://"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void attemptsAtTheFillingAreJobsOfTheirOwn() {
    KvorumLoadTest test = test(2, 64);
    assertThat(LoadJobs.fill(test, 0, false).getMetadata().getName()).isEqualTo("sweep-fill");
    assertThat(LoadJobs.fill(test, 2, false).getMetadata().getName()).isEqualTo("sweep-fill-third");
    assertThat(LoadJobs.fillName("x".repeat(45), LoadJobs.FILL_ATTEMPTS - 1))
        .as("a pod's name adds six characters")
        .hasSizeLessThanOrEqualTo(63 - 6);
  }
}
