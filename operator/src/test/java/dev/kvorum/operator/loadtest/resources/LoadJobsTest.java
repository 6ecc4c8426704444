package dev.kvorum.operator.loadtest.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvorum.operator.api.KvorumLoadTest;
import dev.kvorum.operator.api.KvorumLoadTestSpec;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LoadJobsTest {
  private static final String WRK2 = "registry.example/wrk2:1";
  private static final LoadAccess PLAIN = new LoadAccess(false, Optional.empty());

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
    offers(LoadJobs.of(test(2, 5000), 0, PLAIN, WRK2), 5000);
    offers(LoadJobs.fill(test(2, 5000), 0, PLAIN, WRK2), 64);
    offers(LoadJobs.fill(test(2, 10), 0, PLAIN, WRK2), 10);
    offers(LoadJobs.fill(test(64, 64), 0, PLAIN, WRK2), 64);
  }

  @Test
  void aClusterIsLoadedAsItsClientsHaveTo() {
    assertThat(url(LoadJobs.of(test(2, 64), 0, PLAIN, WRK2)))
        .isEqualTo("http://kvorum.shop.svc:8080");
    assertThat(url(LoadJobs.fill(test(2, 64), 0, new LoadAccess(true, Optional.empty()), WRK2)))
        .isEqualTo("https://kvorum.shop.svc:8080");
  }

  @Test
  void requestsHaveATokenWhereTheyNeedOne() {
    LoadAccess access = new LoadAccess(true, Optional.of("sweep-load-token"));
    for (Job job :
        List.of(
            LoadJobs.fill(test(2, 64), 0, access, WRK2),
            LoadJobs.of(test(2, 64), 0, access, WRK2))) {
      Container container = job.getSpec().getTemplate().getSpec().getContainers().getFirst();
      assertThat(container.getArgs())
          .containsSequence(
              "-H", "Authorization: Bearer $(KVORUM_TOKEN)", "https://kvorum.shop.svc:8080", "--");
      EnvVar token = container.getEnv().getLast();
      assertThat(token.getName()).isEqualTo("KVORUM_TOKEN");
      assertThat(token.getValueFrom().getSecretKeyRef().getName()).isEqualTo("sweep-load-token");
      assertThat(token.getValueFrom().getSecretKeyRef().getKey()).isEqualTo("token");
    }
    Container without =
        LoadJobs.of(test(2, 64), 0, PLAIN, WRK2)
            .getSpec()
            .getTemplate()
            .getSpec()
            .getContainers()
            .getFirst();
    assertThat(without.getArgs()).doesNotContain("-H");
    assertThat(without.getEnv()).extracting(EnvVar::getName).doesNotContain("KVORUM_TOKEN");
  }

  @Test
  void theNameOfItsUserIsNeverTooLong() {
    assertThat(LoadUsers.name("x".repeat(45)) + "-token").hasSizeLessThanOrEqualTo(63);
  }

  private static String url(Job job) {
    return job.getSpec().getTemplate().getSpec().getContainers().getFirst().getArgs().stream()
        .filter(argument -> argument.contains("://"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aTestThatNamesNoImageHasTheOperators() {
    KvorumLoadTest own = test(2, 64);
    own.setSpec(
        new ObjectMapper()
            .convertValue(
                Map.of("cluster", "kvorum", "rates", new long[] {1000}, "image", "mine:2"),
                KvorumLoadTestSpec.class));
    assertThat(image(LoadJobs.of(own, 0, PLAIN, WRK2))).isEqualTo("mine:2");
    assertThat(image(LoadJobs.of(test(2, 64), 0, PLAIN, WRK2))).isEqualTo(WRK2);
    assertThat(image(LoadJobs.fill(test(2, 64), 0, PLAIN, WRK2))).isEqualTo(WRK2);
  }

  private static String image(Job job) {
    return job.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage();
  }

  @Test
  void attemptsAtTheFillingAreJobsOfTheirOwn() {
    KvorumLoadTest test = test(2, 64);
    assertThat(LoadJobs.fill(test, 0, PLAIN, WRK2).getMetadata().getName()).isEqualTo("sweep-fill");
    assertThat(LoadJobs.fill(test, 2, PLAIN, WRK2).getMetadata().getName())
        .isEqualTo("sweep-fill-third");
    assertThat(LoadJobs.fillName("x".repeat(45), LoadJobs.FILL_ATTEMPTS - 1))
        .as("a pod's name adds six characters")
        .hasSizeLessThanOrEqualTo(63 - 6);
  }
}
