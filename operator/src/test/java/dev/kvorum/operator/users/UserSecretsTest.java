package dev.kvorum.operator.users;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.operator.Specs;
import dev.kvorum.operator.api.AuthenticationSpec;
import dev.kvorum.operator.api.AuthenticationType;
import dev.kvorum.operator.api.KeyRule;
import dev.kvorum.operator.api.KeyVerb;
import dev.kvorum.operator.api.KeysSpec;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumRole;
import dev.kvorum.operator.api.KvorumRoleSpec;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.KvorumUserSpec;
import dev.kvorum.operator.api.LimitsSpec;
import dev.kvorum.operator.api.ServiceAccountReference;
import dev.kvorum.operator.api.UserReason;
import dev.kvorum.operator.resources.Digests;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UserSecretsTest {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
  private static final KvorumCluster CLUSTER = Specs.cluster(Specs.withProfile(3, "standard"));
  private static final List<KeyVerb> ALL =
      List.of(KeyVerb.GET, KeyVerb.PUT, KeyVerb.DELETE, KeyVerb.RANGE);

  private static final String TOKEN = "kvt_operator_0123456789abcdef";
  private static final LimitsSpec LIMITS = new LimitsSpec(1000, "8Mi");

  private static ObjectMeta named(String name) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace("shop")
        .withCreationTimestamp("2026-01-01T00:00:00Z")
        .build();
  }

  private static KvorumUser user(String name, AuthenticationType type, List<KeyRule> rules) {
    KvorumUser user = new KvorumUser();
    user.setMetadata(named(name));
    user.setSpec(
        new KvorumUserSpec(
            "kvorum",
            new AuthenticationSpec(
                type,
                null,
                null,
                type == AuthenticationType.SERVICE_ACCOUNT
                    ? new ServiceAccountReference("api.v1", null)
                    : null),
            List.of("reader"),
            rules,
            LIMITS,
            true,
            true));
    return user;
  }

  private static KeyRule rule(KeysSpec keys) {
    return new KeyRule(keys, ALL);
  }

  private static UserSecrets.Found found(List<KvorumUser> users, Map<String, Secret> secrets) {
    KvorumRole reader = new KvorumRole();
    reader.setMetadata(named("reader"));
    reader.setSpec(
        new KvorumRoleSpec(
            "kvorum",
            List.of(new KeyRule(new KeysSpec("", null), List.of(KeyVerb.GET, KeyVerb.RANGE)))));
    return new UserSecrets.Found(users, List.of(reader), Optional.of(secrets));
  }

  private static String reason(UserSecrets objects, Map<String, String> read) {
    return objects.reported(read, NOW).getFirst().known().conditions().getFirst().getReason();
  }

  /** A test of the node reads the same file. */
  @Test
  void theFileIsOneThatNodesRead() throws IOException {
    Secret token =
        new SecretBuilder()
            .withMetadata(named("shop-token"))
            .withData(Map.of("token", TokenSecrets.encode("kvt_shop_0123456789abcdef")))
            .build();
    List<KvorumUser> users =
        List.of(
            user("shop", AuthenticationType.TOKEN, List.of(rule(new KeysSpec("shöp/\"", null)))),
            user("report", AuthenticationType.TLS, List.of(rule(new KeysSpec(null, "shared")))),
            user("api", AuthenticationType.SERVICE_ACCOUNT, List.of()));
    UserSecrets objects =
        new UserSecrets(
            CLUSTER,
            true,
            Optional.of(found(users, Map.of("shop-token", token))),
            Optional.of(stored(Map.of("operator-token", TOKEN))));
    Path golden = Path.of("src/test/resources/golden/users.json");
    String json = decoded(wanted(objects), "users.json");
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(golden, json);
    }
    assertThat(golden).hasContent(json);
  }

  @Test
  void withoutRightsNothingIsWanted() {
    List<KvorumUser> users = List.of(user("shop", AuthenticationType.TOKEN, List.of()));
    UserSecrets objects =
        new UserSecrets(
            CLUSTER,
            false,
            Optional.of(new UserSecrets.Found(users, List.of(), Optional.empty())),
            Optional.empty());
    assertThat(objects.wanted()).isEmpty();
    assertThat(reason(objects, Map.of())).isEqualTo(UserReason.NO_ACCESS_TO_SECRETS.label());
  }

  @Test
  void usersThatMustNotBeReadStayAsTheyAre() {
    Secret stored =
        new SecretBuilder(UserSecrets.named(CLUSTER))
            .withData(Map.of("users.json", TokenSecrets.encode("what was there")))
            .build();
    UserSecrets objects = new UserSecrets(CLUSTER, true, Optional.empty(), Optional.of(stored));
    assertThat(wanted(objects).getData()).isEqualTo(stored.getData());
    stored.setData(
        Map.of(
            "users.json",
            TokenSecrets.encode("what was there"),
            "operator-token",
            TokenSecrets.encode(TOKEN)));
    UserSecrets kept = new UserSecrets(CLUSTER, true, Optional.empty(), Optional.of(stored));
    assertThat(wanted(kept).getData()).isEqualTo(stored.getData());
    assertThat(kept.token()).hasValue(TOKEN);
    UserSecrets first = new UserSecrets(CLUSTER, true, Optional.empty(), Optional.empty());
    assertOperatorIsUser(wanted(first));
  }

  @Test
  void theOperatorKeepsItsTokenAndHasNobodyElses() {
    UserSecrets.Found nobody = found(List.of(), Map.of());
    UserSecrets first = new UserSecrets(CLUSTER, true, Optional.of(nobody), Optional.empty());
    assertThat(first.token()).as("no node knows it yet").isEmpty();
    Secret stored = wanted(first);
    assertThat(stored).isEqualTo(wanted(first));
    assertOperatorIsUser(stored);
    String token = decoded(stored, "operator-token");
    assertThat(token).matches("kvt_operator_[A-Za-z0-9_-]{43}");
    UserSecrets next = new UserSecrets(CLUSTER, true, Optional.of(nobody), Optional.of(stored));
    assertThat(next.token()).hasValue(token);
    assertThat(wanted(next).getData()).isEqualTo(stored.getData());
    Secret same =
        new SecretBuilder()
            .withMetadata(named("shop-token"))
            .withData(Map.of("token", TokenSecrets.encode(token)))
            .build();
    KvorumUser user = user("shop", AuthenticationType.TOKEN, List.of());
    UserSecrets both =
        new UserSecrets(
            CLUSTER,
            true,
            Optional.of(found(List.of(user), Map.of("shop-token", same))),
            Optional.of(stored));
    assertThat(reason(both, Map.of("kvorum-0", ""))).isEqualTo(UserReason.DUPLICATE.label());
    assertThat(wanted(both).getData()).isEqualTo(stored.getData());
    for (Map<String, String> damaged :
        List.of(Map.<String, String>of(), Map.of("operator-token", "short"))) {
      UserSecrets without =
          new UserSecrets(CLUSTER, true, Optional.of(nobody), Optional.of(stored(damaged)));
      assertThat(without.token()).isEmpty();
      assertOperatorIsUser(wanted(without));
    }
  }

  private static void assertOperatorIsUser(Secret secret) {
    assertThat(decoded(secret, "users.json"))
        .isEqualTo(
            "{\"users\":[{\"name\":\"system:operator\",\"tokenSha256\":\""
                + Digests.sha256(decoded(secret, "operator-token"))
                + "\",\"observer\":true,\"rules\":[]}]}");
  }

  private static Secret stored(Map<String, String> data) {
    Map<String, String> encoded = new HashMap<>();
    data.forEach((key, text) -> encoded.put(key, TokenSecrets.encode(text)));
    return new SecretBuilder(UserSecrets.named(CLUSTER)).withData(encoded).build();
  }

  private static Secret wanted(UserSecrets objects) {
    return (Secret) objects.wanted().getLast();
  }

  private static String decoded(Secret secret, String key) {
    return new String(
        Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
  }

  @Test
  void usersThatDoNotFitChangeNothing() {
    List<KeyRule> rules =
        IntStream.range(0, 256)
            .mapToObj(i -> rule(new KeysSpec(i + "-" + "p".repeat(1000), null)))
            .toList();
    List<KvorumUser> users =
        IntStream.range(0, 4)
            .mapToObj(i -> user("user-" + i, AuthenticationType.TLS, rules))
            .toList();
    Secret stored = stored(Map.of("users.json", "what was there", "operator-token", TOKEN));
    UserSecrets objects =
        new UserSecrets(CLUSTER, true, Optional.of(found(users, Map.of())), Optional.of(stored));
    assertThat(wanted(objects).getData()).isEqualTo(stored.getData());
    assertThat(reason(objects, Map.of("kvorum-0", ""))).isEqualTo(UserReason.TOO_LARGE.label());
    assertOperatorIsUser(
        wanted(
            new UserSecrets(CLUSTER, true, Optional.of(found(users, Map.of())), Optional.empty())));
    UserSecrets fewer =
        new UserSecrets(
            CLUSTER, true, Optional.of(found(users.subList(0, 3), Map.of())), Optional.of(stored));
    assertThat(reason(fewer, Map.of("kvorum-0", "")))
        .isEqualTo(UserReason.NOT_YET_IN_EFFECT.label());
  }
}
