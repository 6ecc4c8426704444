package dev.kvorum.operator;

import static dev.kvorum.operator.FakeUsers.account;
import static dev.kvorum.operator.FakeUsers.decoded;
import static dev.kvorum.operator.FakeUsers.rule;
import static dev.kvorum.operator.FakeUsers.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kvorum.operator.api.AuthenticationSpec;
import dev.kvorum.operator.api.AuthenticationType;
import dev.kvorum.operator.api.KeyVerb;
import dev.kvorum.operator.api.KvorumRole;
import dev.kvorum.operator.api.KvorumRoleSpec;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.TokenReference;
import dev.kvorum.operator.resources.Digests;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** KvorumUsers and KvorumRoles become the file that nodes are mounted. */
class UsersTest extends MockedKubernetes {
  /** Secrets that the API server rejects begin with it. */
  private String rejected = "none";

  private void reject(Object written) {
    if (written instanceof Secret it && it.getMetadata().getName().startsWith(rejected)) {
      throw noSecrets();
    }
  }

  private String file() {
    return decoded(secret("kvorum-auth"), "users.json");
  }

  /** The file with the operator and others. */
  private String users(String others) {
    return FakeUsers.file(secret("kvorum-auth"), others);
  }

  private String hash(String secret) {
    return Digests.sha256(decoded(secret(secret), "token"));
  }

  private void turns() {
    kubernetes.turns(operator, 100);
  }

  private Condition condition(KvorumUser user) {
    return user.known().conditions().getFirst();
  }

  private void assertUser(String name, String status, String reason, String message) {
    Condition ready = condition(kubernetes.users.user(name));
    assertThat(ready.getMessage()).contains(message);
    assertThat(ready)
        .extracting(Condition::getType, Condition::getStatus, Condition::getReason)
        .containsExactly("Ready", status, reason);
  }

  private void assertInEffect(String name) {
    assertUser(name, "True", "InEffect", "all 3 nodes have read it");
  }

  private void createToken(String name, String token) {
    byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
    createSecret(name, Map.of("token", Base64.getEncoder().encodeToString(bytes)));
  }

  @Test
  void aUserHasATokenAndTheRulesOfItsRoles() {
    become(Specs.withProfile(3, "standard"));
    assertThat(file()).isEqualTo(users(""));
    Map<String, String> uids = uids();
    kubernetes.users.role("reader", rule("", KeyVerb.GET, KeyVerb.RANGE));
    kubernetes.users.user("shop", token(), List.of("reader"), rule("shop/", KeyVerb.PUT));
    turns();
    Secret made = secret("shop-token");
    assertThat(decoded(made, "token")).matches("kvt_shop_[A-Za-z0-9_-]{43}");
    assertThat(made.getMetadata().getOwnerReferences())
        .extracting(OwnerReference::getKind, OwnerReference::getName)
        .containsExactly(tuple("KvorumUser", "shop"));
    assertThat(file())
        .isEqualTo(
            users(
                ",{\"name\":\"shop\",\"tokenSha256\":\""
                    + hash("shop-token")
                    + "\",\"rules\":[{\"prefix\":\"shop/\",\"verbs\":[\"put\"]},"
                    + "{\"prefix\":\"\",\"verbs\":[\"get\",\"range\"]}]}"));
    assertThat(kubernetes.users.user("shop").known().secretName()).isEqualTo("shop-token");
    assertInEffect("shop");
    KvorumRole role =
        client
            .resources(KvorumRole.class)
            .inNamespace(FakeKubernetes.NAMESPACE)
            .withName("reader")
            .get();
    role.setSpec(new KvorumRoleSpec("kvorum", List.of()));
    client.resource(role).update();
    turns();
    assertThat(file()).doesNotContain("range");
    assertInEffect("shop");
    client.resource(kubernetes.users.user("shop")).delete();
    turns();
    assertThat(file()).isEqualTo(users(""));
    assertThat(uids()).as("no pod is restarted for a user").isEqualTo(uids);
  }

  @Test
  void aTokenThatIsDeletedIsReplaced() {
    become(Specs.withProfile(3, "standard"));
    kubernetes.users.user("shop", token(), List.of());
    turns();
    String before = hash("shop-token");
    client.resource(secret("shop-token")).delete();
    turns();
    assertThat(hash("shop-token")).isNotEqualTo(before);
    assertThat(file()).contains(hash("shop-token")).doesNotContain(before);
    assertInEffect("shop");
    // Before Kubernetes has deleted what belonged to the earlier user.
    client.resource(kubernetes.users.user("shop")).delete();
    kubernetes.users.user("shop", token(), List.of());
    turns();
    assertUser("shop", "False", "ForeignSecret", "an earlier user");
    assertThat(file()).isEqualTo(users(""));
    client.resource(secret("shop-token")).delete();
    turns();
    assertInEffect("shop");
  }

  @Test
  void aUserWithAMistakeAffectsNoOther() {
    become(Specs.withProfile(3, "standard"));
    kubernetes.users.user("a-good-one", token(), List.of());
    turns();
    createToken("own", "a token of the user's own\n");
    createToken("short", "123456");
    createToken("given", "0123456789abcdef\n");
    AuthenticationSpec given = withSecret("given");
    AuthenticationSpec certificate =
        new AuthenticationSpec(AuthenticationType.TLS, null, "shop", null);
    kubernetes.users.user("given", given, List.of("absent"), rule("given/", KeyVerb.GET));
    kubernetes.users.user("later", given, List.of());
    kubernetes.users.user(
        "shop", new AuthenticationSpec(AuthenticationType.TLS, null, null, null), List.of());
    kubernetes.users.user("shop-too", certificate, List.of());
    kubernetes.users.user("without", withSecret("nothing"), List.of());
    kubernetes.users.user("with-blanks", withSecret("own"), List.of());
    kubernetes.users.user("with-short", withSecret("short"), List.of());
    kubernetes.users.user(
        "long", token(), List.of(), rule("ä".repeat(600), KeyVerb.GET), rule("x"));
    turns();
    assertInEffect("a-good-one");
    assertUser("given", "False", "UnknownRole", "absent");
    assertUser("later", "False", "Duplicate", "its token is that of the older user given");
    assertInEffect("shop");
    assertUser("shop-too", "False", "Duplicate", "its common name is that of the older user shop");
    assertUser("without", "False", "SecretMissing", "the Secret nothing does not exist");
    assertUser("with-blanks", "False", "InvalidToken", "16 to 1024 visible");
    assertUser("with-short", "False", "InvalidToken", "16 to 1024 visible");
    assertUser("long", "False", "InvalidRule", "1024 bytes");
    assertThat(file())
        .contains("{\"name\":\"a-good-one\",")
        .contains("\"tokenSha256\":\"" + Digests.sha256("0123456789abcdef") + "\"")
        .contains("{\"name\":\"shop\",\"clientCertificate\":\"shop\",\"rules\":[]}")
        .contains("{\"name\":\"long\",")
        .doesNotContain("\"ä", "later", "shop-too", "without", "with-");
  }

  private static AuthenticationSpec withSecret(String name) {
    return new AuthenticationSpec(AuthenticationType.TOKEN, new TokenReference(name), null, null);
  }

  @Test
  void aUserMayBeAServiceAccount() {
    become(Specs.withProfile(3, "standard"));
    kubernetes.users.user("api", account("api", null), List.of(), rule("api/", KeyVerb.GET));
    kubernetes.users.user("web", account("api.v1", "web"), List.of());
    turns();
    kubernetes.users.user("web-too", account("api.v1", "web"), List.of());
    List<AuthenticationSpec> invalid = new ArrayList<>();
    for (String name : List.of("a/b", "", "Api", "api.", "api\n", "a".repeat(254))) {
      invalid.add(account(name, null));
    }
    for (String namespace : List.of("a/b", "", "web.v1", "w".repeat(64))) {
      invalid.add(account("api", namespace));
    }
    invalid.add(account(null, "web"));
    invalid.add(new AuthenticationSpec(AuthenticationType.SERVICE_ACCOUNT, null, null, null));
    for (int i = 0; i < invalid.size(); i++) {
      kubernetes.users.user("invalid-" + i, invalid.get(i), List.of());
    }
    turns();
    assertInEffect("api");
    assertInEffect("web");
    assertUser(
        "web-too", "False", "Duplicate", "its service account is that of the older user web");
    for (int i = 0; i < invalid.size(); i++) {
      assertUser("invalid-" + i, "False", "InvalidServiceAccount", "needs the name");
    }
    assertThat(file())
        .isEqualTo(
            users(
                ",{\"name\":\"api\",\"serviceAccount\":\""
                    + FakeKubernetes.NAMESPACE
                    + "/api\",\"rules\":[{\"prefix\":\"api/\",\"verbs\":[\"get\"]}]},"
                    + "{\"name\":\"web\",\"serviceAccount\":\"web/api.v1\",\"rules\":[]}"));
    assertThat(kubernetes.users.user("api").known().secretName()).isNull();
    assertThat(secret("api-token")).isNull();
  }

  @Test
  void aClusterTakesTokensOfServiceAccountsByDefault() {
    become(Specs.withProfile(3, "standard"));
    kubernetes.users.user("api", account("api", null), List.of());
    kubernetes.users.user("shop", token(), List.of());
    turns();
    assertThat(kubernetes.pods())
        .allSatisfy(pod -> assertThat(setting(pod, "AUTH_SERVICEACCOUNTS")).hasValue("jwks"));
    assertInEffect("api");
    become(
        Specs.withSetting(Specs.withProfile(3, "standard"), "kvorum.auth.service-accounts", "Off"));
    assertThat(kubernetes.pods())
        .allSatisfy(pod -> assertThat(setting(pod, "AUTH_SERVICEACCOUNTS")).hasValue("Off"));
    assertUser("api", "False", "ServiceAccountsOff", "kvorum.auth.service-accounts");
    assertInEffect("shop");
    assertThat(file()).contains("shop").doesNotContain("api");
  }

  @Test
  void anOpenClusterTakesNoUsersUntilItsProfileChanges() {
    become(Specs.withProfile(3, "open"));
    kubernetes.users.user("shop", token(), List.of());
    turns();
    assertUser("shop", "False", "OpenProfile", "security.profile");
    assertThat(secret("kvorum-auth")).isNull();
    assertThat(secret("shop-token")).isNull();
    become(Specs.withProfile(3, "standard"));
    assertInEffect("shop");
    // A node without the file would serve everyone: it must not lose it.
    rejected = "";
    operator = kubernetes.operator(kubernetes.door(this::reject), InstantSource.system());
    Map<String, String> uids = uids();
    client.resource(secret("kvorum-auth")).delete();
    turns();
    assertThat(uids()).isEqualTo(uids);
    assertThat(ready().getMessage()).contains("Secret/kvorum-auth");
    become(Specs.withProfile(3, "open"));
    assertUser("shop", "False", "OpenProfile", "security.profile");
  }

  @Test
  void aStrictClusterServesOnlyUsers() {
    become(Specs.withProfile(3, "standard"));
    assertThat(kubernetes.pods()).allSatisfy(pod -> assertThat(anonymous(pod)).isEmpty());
    become(Specs.withProfile(3, "strict"));
    assertThat(kubernetes.pods()).allSatisfy(pod -> assertThat(anonymous(pod)).hasValue("none"));
  }

  @Test
  void aStrictClusterWithoutItsFileServesNobody() {
    rejected = "kvorum-auth";
    operator = kubernetes.operator(kubernetes.door(this::reject), InstantSource.system());
    kubernetes.create(Specs.withProfile(3, "strict"));
    turns();
    assertThat(ready().getMessage()).contains("Secret/kvorum-auth");
    assertThat(kubernetes.pods()).allSatisfy(pod -> assertThat(anonymous(pod)).hasValue("none"));
  }

  private static Optional<String> anonymous(Pod pod) {
    return setting(pod, "AUTH_ANONYMOUS");
  }

  private static Optional<String> setting(Pod pod, String name) {
    return pod.getSpec().getContainers().getFirst().getEnv().stream()
        .filter(variable -> variable.getName().equals("KVORUM_" + name))
        .map(EnvVar::getValue)
        .findFirst();
  }

  @Test
  void aForeignSecretIsNeitherUsedNorMounted() {
    createToken("kvorum-auth", "0123456789abcdef");
    kubernetes.create(Specs.withProfile(3, "standard"));
    turns();
    assertThat(ready().getMessage()).contains("Secret/kvorum-auth exists and does not belong");
    assertThat(kubernetes.set()).isNull();
  }
}
