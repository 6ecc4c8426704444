package dev.kvorum.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Nodes that serve only users show their state to observers, of which the operator is one: the
 * nodes of {@link FakeKubernetes} report to its token only.
 */
class OperatorTokenTest extends MockedKubernetes {
  private String token() {
    return FakeUsers.decoded(secret("kvorum-auth"), "operator-token");
  }

  private void assertAnonymous(String... modes) {
    assertThat(kubernetes.pods())
        .allSatisfy(pod ->
            assertThat(pod.getSpec().getContainers().getFirst().getEnv())
                .filteredOn(variable -> variable.getName().equals("KVORUM_AUTH_ANONYMOUS"))
                .map(EnvVar::getValue)
                .containsExactly(modes));
  }

  @Test
  void aClusterBecomesStrictAndOpenAgain() {
    become(Specs.withProfile(3, "open"));
    become(Specs.withProfile(3, "strict"));
    assertAnonymous("none");
    String token = token();
    kubernetes.users.user("shop", FakeUsers.token(), List.of());
    kubernetes.turns(operator, 100);
    assertThat(token()).isEqualTo(token);
    become(Specs.withProfile(3, "open"));
    assertAnonymous();
    become(Specs.withSetting(Specs.withProfile(3, "standard"), "kvorum.auth.anonymous", "none"));
    assertAnonymous("none");
  }

  @Test
  void aTokenThatIsDeletedIsReplacedWithoutARestart() {
    become(Specs.withProfile(3, "strict"));
    String token = token();
    Map<String, String> uids = uids();
    client.resource(secret("kvorum-auth")).delete();
    kubernetes.turns(operator, 100);
    assertThat(token()).isNotEqualTo(token);
    assertThat(ready().getStatus()).as(ready().getMessage()).isEqualTo("True");
    assertThat(uids()).isEqualTo(uids);
  }

  @Test
  void podsAreMountedTheFileAndNotTheToken() {
    become(Specs.withProfile(3, "standard"));
    for (Pod pod : kubernetes.pods()) {
      assertThat(pod.getSpec().getVolumes())
          .filteredOn(volume -> volume.getName().equals("users"))
          .flatExtracting(volume -> volume.getSecret().getItems())
          .containsExactly(new KeyToPath("users.json", null, "users.json"));
    }
  }
}
