package dev.kvorum.auth.serviceaccount;

import com.nimbusds.jwt.SignedJWT;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks tokens of Kubernetes ServiceAccounts on threads of its own, and remembers those that are
 * genuine. Safe for use by many threads.
 */
public final class ServiceAccountTokens implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ServiceAccountTokens.class);
  private static final int THREADS = 4;
  private static final int TIMEOUT_MILLIS = 5_000;

  /** How the header of every token begins: an object in JSON, encoded. */
  private static final String START = "ey";

  /** A token of the API server has about 1 KB; a header of HTTP is bounded as well. */
  private static final int CHARS_MAX = 16 << 10;

  private final TokenSettings settings;
  private final TokenOrigin origin;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Map<String, TokenResult.Account> accounts;
  private final ThreadPoolExecutor threads;
  private final LongAdder accepted = new LongAdder();
  private final LongAdder rejected = new LongAdder();
  private final LongAdder unchecked = new LongAdder();

  /**
   * Creates a check.
   *
   * @param origin closed with this
   */
  ServiceAccountTokens(
      TokenSettings settings, TokenOrigin origin, InstantSource clock, LongSupplier nanoTime) {
    this.settings = settings;
    this.origin = origin;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.accounts =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, TokenResult.Account> eldest) {
            return size() > settings.tokensMax();
          }
        };
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(settings.waitingMax()),
            Thread.ofPlatform().daemon().name("kvorum-auth-tokens-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Checks tokens of the API server whose client is configured by the environment, such as a pod's
   * service account.
   *
   * @param mode how; not off
   * @param isNeeded whether there is a user who could have such a token
   */
  public static ServiceAccountTokens connect(
      ServiceAccountMode mode, TokenSettings settings, BooleanSupplier isNeeded) {
    Config config = Config.autoConfigure(null);
    config.setConnectionTimeout(TIMEOUT_MILLIS);
    config.setRequestTimeout(TIMEOUT_MILLIS);
    // Clients try again.
    config.setRequestRetryBackoffLimit(0);
    KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build();
    TokenOrigin origin =
        mode == ServiceAccountMode.JWKS
            ? SignedTokens.start(client, settings.recheck(), isNeeded, System::nanoTime)
            : new ReviewedTokens(client, settings.audience());
    return new ServiceAccountTokens(settings, origin, InstantSource.system(), System::nanoTime);
  }

  /** Whether a text could be a token of a ServiceAccount. */
  public static boolean isLike(String token) {
    return token.startsWith(START)
        && token.length() <= CHARS_MAX
        && token.chars().filter(it -> it == '.').count() == 2;
  }

  /**
   * Whose a token is, if it was checked not long ago.
   *
   * @param hash of the token
   */
  public Optional<TokenResult.Account> known(String hash) {
    synchronized (accounts) {
      TokenResult.Account account = accounts.get(hash);
      return account == null || account.untilNanos() - nanoTime.getAsLong() <= 0
          ? Optional.empty()
          : Optional.of(account);
    }
  }

  /**
   * Checks a token; the result comes on another thread.
   *
   * @param hash of the token
   */
  public CompletionStage<TokenResult> check(String hash, String token) {
    CompletableFuture<TokenResult> result = new CompletableFuture<>();
    try {
      threads.execute(() -> result.complete(checked(hash, token)));
    } catch (RejectedExecutionException full) {
      unchecked.increment();
      log.debug("Too many tokens are waiting (kvorum.auth.tokens-waiting-max)");
      result.complete(new TokenResult.Unchecked());
    }
    return result;
  }

  private TokenResult checked(String hash, String token) {
    try {
      // Many connections begin with the same token at the same time.
      Optional<TokenResult.Account> known = known(hash);
      if (known.isPresent()) {
        return known.get();
      }
      TokenResult.Account account = account(token);
      synchronized (accounts) {
        accounts.put(hash, account);
      }
      accepted.increment();
      return account;
    } catch (RejectedTokenException e) {
      rejected.increment();
      log.debug("A token of a ServiceAccount was rejected: {}", e.getMessage());
      return new TokenResult.Rejected();
    } catch (UncheckedTokenException | RuntimeException | Error e) {
      unchecked.increment();
      log.debug("A token of a ServiceAccount could not be checked", e);
      return new TokenResult.Unchecked();
    }
  }

  private TokenResult.Account account(String token)
      throws RejectedTokenException, UncheckedTokenException {
    Instant now = clock.instant();
    try {
      SignedJWT parsed = SignedJWT.parse(token);
      AccountClaims claims = AccountClaims.of(parsed.getJWTClaimsSet(), settings, now);
      if (!origin.isGenuine(parsed, claims)) {
        throw new RejectedTokenException("the API server has not made it, or does not any longer");
      }
      Duration left = Duration.between(now, claims.expires());
      Duration trusted = left.compareTo(settings.recheck()) < 0 ? left : settings.recheck();
      return new TokenResult.Account(claims.account(), nanoTime.getAsLong() + trusted.toNanos());
    } catch (ParseException e) {
      throw new RejectedTokenException("it is no token");
    }
  }

  /** Tokens that were checked and found genuine. */
  public long accepted() {
    return accepted.sum();
  }

  /** Tokens that were checked and rejected. */
  public long rejected() {
    return rejected.sum();
  }

  /** Tokens that could not be checked. */
  public long unchecked() {
    return unchecked.sum();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    origin.close();
  }
}
