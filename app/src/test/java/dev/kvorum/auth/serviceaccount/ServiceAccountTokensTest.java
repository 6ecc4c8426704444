package dev.kvorum.auth.serviceaccount;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import io.fabric8.kubernetes.api.model.authentication.TokenReview;
import io.fabric8.kubernetes.api.model.authentication.TokenReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
class ServiceAccountTokensTest {
  private static final String REVIEWS = "/apis/authentication.k8s.io/v1/tokenreviews";
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final TokenSettings SETTINGS =
      new TokenSettings(TestTokens.AUDIENCE, Duration.ofHours(1), MINUTE, 16, 8);
  private static final RSAKey RSA = TestTokens.rsa("rsa");
  private static final ECKey EC = TestTokens.ec();

  @SuppressWarnings("NullAway.Init") // set by the extension
  private KubernetesClient client;

  @SuppressWarnings("NullAway.Init") // set by the extension
  private KubernetesMockServer server;

  private final List<ServiceAccountTokens> started = new ArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @BeforeEach
  void failAtOnce() {
    client.getConfiguration().setRequestRetryBackoffLimit(0);
  }

  @AfterEach
  void close() {
    started.forEach(ServiceAccountTokens::close);
  }

  private ServiceAccountTokens signed() {
    return start(SignedTokens.start(client, MINUTE, () -> false, nanos::get));
  }

  private ServiceAccountTokens start(TokenOrigin origin) {
    ServiceAccountTokens tokens = new ServiceAccountTokens(SETTINGS, origin, () -> now, nanos::get);
    started.add(tokens);
    return tokens;
  }

  private void pass(Duration time) {
    now = now.plus(time);
    nanos.addAndGet(time.toNanos());
  }

  /** The API server has these keys from now on, for as many requests as are named. */
  private void serve(int times, JWK... keys) {
    server
        .expect()
        .get()
        .withPath("/.well-known/openid-configuration")
        .andReturn(200, Map.of("issuer", TestTokens.ISSUER))
        .times(times);
    server
        .expect()
        .get()
        .withPath("/openid/v1/jwks")
        .andReturn(200, new JWKSet(List.of(keys)).toPublicJWKSet().toJSONObject())
        .times(times);
  }

  private void review(int times, boolean authenticated, String audience, String account) {
    TokenReview review =
        new TokenReviewBuilder()
            .withNewStatus()
            .withAuthenticated(authenticated)
            .withAudiences(audience)
            .withNewUser()
            .withUsername("system:serviceaccount:" + account)
            .endUser()
            .endStatus()
            .build();
    server.expect().post().withPath(REVIEWS).andReturn(201, review).times(times);
  }

  private JWTClaimsSet.Builder claims() {
    return TestTokens.claims(now);
  }

  private String token() {
    return TestTokens.sign(RSA, claims().build());
  }

  private static TokenResult check(ServiceAccountTokens tokens, String token) {
    return tokens.check(token, token).toCompletableFuture().orTimeout(30, SECONDS).join();
  }

  private static String account(TokenResult result) {
    return result instanceof TokenResult.Account(String name, long until) ? name : "" + result;
  }

  @Test
  void signedTokensProveTheirAccount() throws JOSEException {
    serve(1, RSA, EC);
    ServiceAccountTokens tokens = signed();
    String token = token();

    assertThat(account(check(tokens, token))).isEqualTo("shop/api");
    assertThat(tokens.known(token)).get().extracting(it -> account(it)).isEqualTo("shop/api");
    String other = TestTokens.sign(JWSAlgorithm.ES256, "ec", new ECDSASigner(EC), claims().build());
    assertThat(account(check(tokens, other))).isEqualTo("shop/api");
    pass(MINUTE);
    assertThat(tokens.known(token)).as("it must be checked again").isEmpty();
    assertThat(account(check(tokens, token))).isEqualTo("shop/api");
    assertThat(tokens.accepted()).isEqualTo(3);
  }

  @Test
  void claimsThatAreNotTakenAreRejectedWhoeverHasSignedThem() {
    serve(1, RSA);
    ServiceAccountTokens tokens = signed();
    Date old = Date.from(now.minus(Duration.ofMinutes(30)));
    Map<String, JWTClaimsSet.Builder> rejected =
        Map.ofEntries(
            Map.entry("another audience", claims().audience("kvorum.dev/shop/other")),
            Map.entry("also for others", claims().audience(List.of(TestTokens.AUDIENCE, "vault"))),
            Map.entry("no audience", claims().audience((String) null)),
            Map.entry("that of the API server", claims().audience(TestTokens.ISSUER)),
            Map.entry("expired", claims().issueTime(old).expirationTime(Date.from(now))),
            Map.entry("no expiry", claims().expirationTime(null)),
            Map.entry("no time of issue", claims().issueTime(null)),
            Map.entry("too long", claims().expirationTime(Date.from(now.plusSeconds(3601)))),
            Map.entry("of the future", claims().notBeforeTime(Date.from(now.plusSeconds(90)))),
            Map.entry("another issuer", claims().issuer("https://other")),
            Map.entry("no issuer", claims().issuer(null)),
            Map.entry("a user of Kubernetes", claims().subject("shop:api")),
            Map.entry("no subject", claims().subject(null)),
            Map.entry("a slash", claims().subject("system:serviceaccount:shop:a/b")));

    rejected.forEach((what, claims) ->
        assertThat(check(tokens, TestTokens.sign(RSA, claims.build())))
            .as(what)
            .isInstanceOf(TokenResult.Rejected.class));

    assertThat(tokens.rejected()).isEqualTo(rejected.size());
    assertThat(account(check(tokens, token()))).isEqualTo("shop/api");
  }

  @Test
  void onlySignaturesOfTheServersKeysAreTaken() throws JOSEException {
    serve(3, RSA);
    ServiceAccountTokens tokens = signed();
    JWTClaimsSet claims = claims().build();
    String token = token();
    String[] parts = token.split("\\.", -1);
    String others =
        TestTokens.sign(RSA, claims().subject("system:serviceaccount:shop:other").build());

    Map<String, String> rejected =
        Map.of(
            "another key under the same name", TestTokens.sign(TestTokens.rsa("rsa"), claims),
            "claims of another token", parts[0] + "." + others.split("\\.", -1)[1] + "." + parts[2],
            "the public key as a secret one",
                TestTokens.sign(
                    JWSAlgorithm.HS256,
                    "rsa",
                    new MACSigner(RSA.toPublicJWK().toJSONString()),
                    claims),
            "a key of another type",
                TestTokens.sign(JWSAlgorithm.ES256, "rsa", new ECDSASigner(EC), claims),
            "no signature", new PlainJWT(claims).serialize(),
            "an empty signature", parts[0] + "." + parts[1] + ".",
            "nothing", "ey..");

    rejected.forEach((what, it) ->
        assertThat(check(tokens, it)).as(what).isInstanceOf(TokenResult.Rejected.class));
    assertThat(account(check(tokens, token))).isEqualTo("shop/api");
  }

  @Test
  void keysAreReadAgainForAnUnknownOneButNotForEach() throws Exception {
    RSAKey next = TestTokens.rsa("next");
    serve(1, RSA);
    ServiceAccountTokens tokens = signed();
    assertThat(account(check(tokens, token()))).isEqualTo("shop/api");
    int before = server.getRequestCount();

    assertThat(check(tokens, TestTokens.sign(next, claims().build())))
        .as("keys were read just now")
        .isInstanceOf(TokenResult.Rejected.class);
    assertThat(server.getRequestCount()).isEqualTo(before);

    pass(Duration.ofSeconds(6));
    serve(1, next);
    assertThat(account(check(tokens, TestTokens.sign(next, claims().build()))))
        .isEqualTo("shop/api");
    assertThat(check(tokens, TestTokens.sign(RSA, claims().issueTime(Date.from(now)).build())))
        .as("the server has withdrawn this key")
        .isInstanceOf(TokenResult.Rejected.class);
  }

  @Test
  void keysOutliveTheServerThatIsAway() {
    ServiceAccountTokens tokens = signed();
    assertThat(check(tokens, token())).isInstanceOf(TokenResult.Unchecked.class);
    assertThat(tokens.unchecked()).isEqualTo(1);
    pass(Duration.ofSeconds(6));
    serve(1, RSA);
    assertThat(account(check(tokens, token()))).isEqualTo("shop/api");

    server.shutdown();
    pass(Duration.ofMinutes(10));
    assertThat(account(check(tokens, token()))).isEqualTo("shop/api");
    assertThat(check(tokens, TestTokens.sign(TestTokens.rsa("unknown"), claims().build())))
        .as("it may be a new key")
        .isInstanceOf(TokenResult.Unchecked.class);
  }

  @Test
  void keysAreReadBeforeTheFirstTokenOnceAUserCouldHaveOne() {
    serve(1, RSA);
    AtomicBoolean isNeeded = new AtomicBoolean();
    start(SignedTokens.start(client, Duration.ofMillis(10), isNeeded::get, nanos::get));
    assertThat(server.getRequestCount()).isZero();
    isNeeded.set(true);
    await().until(() -> server.getRequestCount() >= 2);
  }

  @Test
  void theServerIsAskedAboutEachTokenOnceAMinute() throws Exception {
    ServiceAccountTokens tokens = start(new ReviewedTokens(client, TestTokens.AUDIENCE));
    review(2, true, TestTokens.AUDIENCE, "shop:api");
    String token = token();

    assertThat(account(check(tokens, token))).isEqualTo("shop/api");
    assertThat(account(check(tokens, token))).isEqualTo("shop/api");
    assertThat(server.getRequestCount()).isEqualTo(1);
    TokenReview asked =
        client
            .getKubernetesSerialization()
            .unmarshal(server.takeRequest().getBody().readUtf8(), TokenReview.class);
    assertThat(asked.getSpec().getToken()).isEqualTo(token);
    assertThat(asked.getSpec().getAudiences()).containsExactly(TestTokens.AUDIENCE);

    pass(MINUTE);
    assertThat(account(check(tokens, token))).isEqualTo("shop/api");
    assertThat(server.getRequestCount()).isEqualTo(2);
  }

  @Test
  void reviewsThatSaySomethingElseAreRejected() {
    ServiceAccountTokens tokens = start(new ReviewedTokens(client, TestTokens.AUDIENCE));

    review(1, false, TestTokens.AUDIENCE, "shop:api");
    assertThat(check(tokens, token())).isInstanceOf(TokenResult.Rejected.class);
    review(1, true, "another", "shop:api");
    assertThat(check(tokens, token())).isInstanceOf(TokenResult.Rejected.class);
    review(1, true, TestTokens.AUDIENCE, "shop:other");
    assertThat(check(tokens, token())).isInstanceOf(TokenResult.Rejected.class);
    server.expect().post().withPath(REVIEWS).andReturn(403, "").once();
    assertThat(check(tokens, token())).isInstanceOf(TokenResult.Unchecked.class);
  }

  @Test
  void whatIsRememberedIsBounded() {
    serve(1, RSA);
    ServiceAccountTokens tokens = signed();
    List<String> all = new ArrayList<>();
    for (int i = 0; i <= SETTINGS.tokensMax(); i++) {
      String token = TestTokens.sign(RSA, claims().jwtID("" + i).build());
      check(tokens, token);
      all.add(token);
    }

    assertThat(tokens.known(all.getFirst())).isEmpty();
    assertThat(tokens.known(all.getLast())).isPresent();
  }
}
