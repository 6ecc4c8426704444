package dev.kvorum.backup.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CredentialsTest {
  @Test
  void theEnvironmentHasThem() {
    Map<String, String> environment =
        Map.of("AWS_ACCESS_KEY_ID", "id", "AWS_SECRET_ACCESS_KEY", "hidden\n");

    assertThat(Credentials.ofEnvironment(environment))
        .isEqualTo(new Credentials("id", "hidden", Optional.empty()));
  }

  @Test
  void aTokenOfASessionIsOptional() {
    Map<String, String> environment =
        Map.of(
            "AWS_ACCESS_KEY_ID", "id",
            "AWS_SECRET_ACCESS_KEY", "hidden",
            "AWS_SESSION_TOKEN", "token");

    assertThat(Credentials.ofEnvironment(environment).sessionToken()).contains("token");
  }

  @Test
  void anEmptyEnvironmentHasNone() {
    assertThat(Credentials.ofEnvironment(Map.of())).isEqualTo(Credentials.NONE);
    assertThat(Credentials.ofEnvironment(Map.of("AWS_ACCESS_KEY_ID", " ")))
        .isEqualTo(Credentials.NONE);
  }

  @Test
  void halfAKeyIsRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Credentials.ofEnvironment(Map.of("AWS_ACCESS_KEY_ID", "id")))
        .withMessageStartingWith("AWS_SECRET_ACCESS_KEY is missing");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Credentials.ofEnvironment(Map.of("AWS_SECRET_ACCESS_KEY", "hidden")))
        .withMessageStartingWith("AWS_ACCESS_KEY_ID is missing")
        .withMessageNotContaining("hidden");
  }

  @Test
  void secretsAreNotPrinted() {
    Credentials credentials = new Credentials("id", "hidden", Optional.of("token"));

    assertThat(credentials.toString()).contains("id").doesNotContain("hidden", "token");
  }
}
