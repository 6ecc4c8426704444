package dev.kvorum.operator.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceAccountsTest {
  @Test
  void namesMayBeAsLongAsThoseOfKubernetes() {
    String name = "a.".repeat(126) + "a";
    String namespace = "n".repeat(63);
    assertThat(new ServiceAccountReference(name, namespace).inFull("shop"))
        .hasValue(namespace + "/" + name);
    assertThat(new ServiceAccountReference("1", null).inFull("shop")).hasValue("shop/1");
    assertThat(new ServiceAccountReference(name + "a", null).inFull("shop")).isEmpty();
    assertThat(new ServiceAccountReference("a..b", null).inFull("shop")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "kvorum.auth.service-accounts, jwks,         jwks",
    "kvorum.auth.serviceaccounts,  TOKEN-REVIEW, token-review",
    "kvorum.auth.service-accounts, 'Off ',       off",
    "kvorum.auth.service-accounts, false,        off",
    "kvorum.auth.anonymous,        none,         "
  })
  void theSettingIsReadAsNodesReadIt(String name, String text, @Nullable String mode) {
    KvorumClusterSpec spec =
        new ObjectMapper()
            .convertValue(Map.of("settings", Map.of(name, text)), KvorumClusterSpec.class);
    assertThat(spec.serviceAccounts()).isEqualTo(Optional.ofNullable(mode));
  }
}
