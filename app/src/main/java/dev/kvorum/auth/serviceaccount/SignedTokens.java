package dev.kvorum.auth.serviceaccount;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.SignedJWT;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.text.ParseException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks signatures with the public keys of the API server, which are read again periodically and
 * when a token has a key that is not among them. Keys that cannot be read again stay in use.
 */
final class SignedTokens implements TokenOrigin {
  private static final Logger log = LoggerFactory.getLogger(SignedTokens.class);
  private static final String DISCOVERY = "/.well-known/openid-configuration";
  private static final String KEYS = "/openid/v1/jwks";

  /** Those that an API server signs with; none takes a public key for a secret one. */
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  /** Unknown keys cause at most one request to the API server in this time. */
  private static final long PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

  private final KubernetesClient client;
  private final BooleanSupplier isNeeded;
  private final LongSupplier nanoTime;
  private final DefaultJWSVerifierFactory verifiers = new DefaultJWSVerifierFactory();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("kvorum-auth-keys").factory());
  private final ReentrantLock reading = new ReentrantLock();
  private volatile @Nullable Keys keys;

  /** When keys were last asked for; guarded by {@link #reading}. */
  private long askedNanos;

  /** Why they could not be read then; empty: they were. Guarded by {@link #reading}. */
  private String trouble = "";

  private record Keys(String issuer, JWKSet set) {
    @Nullable JWK of(SignedJWT token) {
      String id = token.getHeader().getKeyID();
      return id == null ? null : set.getKeyByKeyId(id);
    }
  }

  private SignedTokens(KubernetesClient client, BooleanSupplier isNeeded, LongSupplier nanoTime) {
    this.client = client;
    this.isNeeded = isNeeded;
    this.nanoTime = nanoTime;
    this.askedNanos = nanoTime.getAsLong() - PAUSE_NANOS;
  }

  /**
   * Starts to read keys, as soon as they are needed.
   *
   * @param client closed with this
   * @param isNeeded whether there is a user who could have such a token
   */
  static SignedTokens start(
      KubernetesClient client, Duration interval, BooleanSupplier isNeeded, LongSupplier nanoTime) {
    SignedTokens tokens = new SignedTokens(client, isNeeded, nanoTime);
    tokens.timer.scheduleWithFixedDelay(
        tokens::readIfNeeded, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    return tokens;
  }

  private void readIfNeeded() {
    if (isNeeded.getAsBoolean()) {
      reading.lock();
      try {
        read();
      } finally {
        reading.unlock();
      }
    }
  }

  @Override
  public boolean isGenuine(SignedJWT token, AccountClaims claims) throws UncheckedTokenException {
    if (!ALGORITHMS.contains(token.getHeader().getAlgorithm())) {
      return false;
    }
    Keys known = keys;
    if (known == null || known.of(token) == null) {
      known = readAgain();
    }
    return known.of(token) instanceof AsymmetricJWK key
        && known.issuer().equals(claims.issuer())
        && isSignedBy(key, token);
  }

  private boolean isSignedBy(AsymmetricJWK key, SignedJWT token) {
    try {
      return token.verify(verifiers.createJWSVerifier(token.getHeader(), key.toPublicKey()));
    } catch (JOSEException e) {
      return false;
    }
  }

  private Keys readAgain() throws UncheckedTokenException {
    if (!reading.tryLock()) {
      throw new UncheckedTokenException("keys of the API server are being read");
    }
    try {
      if (nanoTime.getAsLong() - askedNanos >= PAUSE_NANOS) {
        read();
      }
      Keys known = keys;
      if (known == null || !trouble.isEmpty()) {
        throw new UncheckedTokenException(trouble);
      }
      return known;
    } finally {
      reading.unlock();
    }
  }

  /** Reads all keys; without success, those before stay. */
  private void read() {
    askedNanos = nanoTime.getAsLong();
    try {
      String issuer = JSONObjectUtils.getString(JSONObjectUtils.parse(get(DISCOVERY)), "issuer");
      if (issuer == null) {
        throw new ParseException(DISCOVERY + " names no issuer", 0);
      }
      keys = new Keys(issuer, JWKSet.parse(get(KEYS)));
      trouble = "";
    } catch (ParseException e) {
      cannotRead(e);
    } catch (RuntimeException | Error e) {
      cannotRead(e);
    }
  }

  private String get(String path) throws ParseException {
    String text = client.raw(path);
    if (text == null) {
      throw new ParseException("the API server has no " + path, 0);
    }
    return text;
  }

  private void cannotRead(Throwable failure) {
    String reason = "keys for tokens of ServiceAccounts cannot be read: " + failure.getMessage();
    if (!reason.equals(trouble)) {
      log.warn("{}{}", reason, keys == null ? "" : "; those before stay in use");
    }
    trouble = reason;
  }

  @Override
  public void close() {
    timer.shutdownNow();
    client.close();
  }
}
