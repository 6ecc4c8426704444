package dev.kvorum.auth;

import dev.kvorum.auth.serviceaccount.ServiceAccountMode;
import dev.kvorum.settings.Bounds;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings {@code kvorum.auth.*}: who may do what.
 *
 * @param file file with users and their rules, see docs/security.md; empty: no users
 * @param anonymous what may be done without credentials: {@code all}, {@code read}, {@code none}
 * @param reloadInterval interval at which the file is read again, 100 ms to 10 s
 * @param failuresRate wrong credentials per second of one address (of IPv6, a network of 64 bits),
 *     1 to 10000; more are 429
 * @param failuresAddressesMax addresses for which they are counted, 16 to 1000000
 * @param serviceAccounts how tokens of ServiceAccounts are checked: {@code off}, {@code jwks} (by
 *     the API server's keys), {@code token-review} (by the API server)
 * @param audience the only audience of tokens of ServiceAccounts; empty: {@code
 *     kvorum.dev/<namespace>/<topology>}
 * @param tokenLifetimeMax longest life of a token of a ServiceAccount, 10 minutes to 1 day
 * @param tokenRecheck how long a token is not checked again, and the interval at which the API
 *     server's keys are read, 1 s to 10 minutes
 * @param tokensMax tokens of ServiceAccounts that are remembered, 16 to 1000000
 * @param tokensWaitingMax tokens of ServiceAccounts that wait for their check, 1 to 10000; more are
 *     503
 */
public record AuthSettings(
    @DefaultValue("") String file,
    @DefaultValue("all") Anonymous anonymous,
    @DefaultValue("5s") Duration reloadInterval,
    @DefaultValue("10") int failuresRate,
    @DefaultValue("10000") int failuresAddressesMax,
    @DefaultValue("off") ServiceAccountMode serviceAccounts,
    @DefaultValue("") String audience,
    @DefaultValue("1h") Duration tokenLifetimeMax,
    @DefaultValue("1m") Duration tokenRecheck,
    @DefaultValue("10000") int tokensMax,
    @DefaultValue("256") int tokensWaitingMax) {
  public AuthSettings {
    Bounds.between(
        "kvorum.auth.reload-interval",
        reloadInterval,
        Duration.ofMillis(100),
        Duration.ofSeconds(10));
    Bounds.between("kvorum.auth.failures-rate", failuresRate, 1, 10_000);
    Bounds.between("kvorum.auth.failures-addresses-max", failuresAddressesMax, 16, 1_000_000);
    Bounds.between(
        "kvorum.auth.token-lifetime-max",
        tokenLifetimeMax,
        Duration.ofMinutes(10),
        Duration.ofDays(1));
    Bounds.between(
        "kvorum.auth.token-recheck", tokenRecheck, Duration.ofSeconds(1), Duration.ofMinutes(10));
    Bounds.between("kvorum.auth.tokens-max", tokensMax, 16, 1_000_000);
    Bounds.between("kvorum.auth.tokens-waiting-max", tokensWaitingMax, 1, 10_000);
    if (file.isEmpty() && anonymous == Anonymous.NONE) {
      throw new IllegalArgumentException(
          "kvorum.auth.anonymous=none needs kvorum.auth.file: without users no request would be"
              + " served");
    }
    if (file.isEmpty() && serviceAccounts != ServiceAccountMode.OFF) {
      throw new IllegalArgumentException(
          "kvorum.auth.service-accounts needs kvorum.auth.file: without users no ServiceAccount"
              + " could be one");
    }
  }
}
