package dev.kvorum.auth;

import dev.kvorum.settings.Bounds;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings {@code kvorum.auth.*}: who may do what.
 *
 * @param file file with users and their rules, see docs/security.md; empty: there are no users, and
 *     credentials are ignored
 * @param anonymous what may be done without credentials: {@code all}, {@code read}, {@code none}
 * @param reloadInterval interval at which the file is read again, 100 ms to 10 s
 * @param failuresRate wrong credentials per second that are looked at for one address, an IPv6
 *     network of 64 bits being one, 1 to 10000; more are answered with 429
 * @param failuresAddressesMax addresses for which they are counted, 16 to 1000000; beyond that the
 *     one that was quiet for longest is forgotten
 */
public record AuthSettings(
    @DefaultValue("") String file,
    @DefaultValue("all") Anonymous anonymous,
    @DefaultValue("5s") Duration reloadInterval,
    @DefaultValue("10") int failuresRate,
    @DefaultValue("10000") int failuresAddressesMax) {
  public AuthSettings {
    Bounds.between(
        "kvorum.auth.reload-interval",
        reloadInterval,
        Duration.ofMillis(100),
        Duration.ofSeconds(10));
    Bounds.between("kvorum.auth.failures-rate", failuresRate, 1, 10_000);
    Bounds.between("kvorum.auth.failures-addresses-max", failuresAddressesMax, 16, 1_000_000);
    if (file.isEmpty() && anonymous == Anonymous.NONE) {
      throw new IllegalArgumentException(
          "kvorum.auth.anonymous=none needs kvorum.auth.file: without users no request would be"
              + " served");
    }
  }
}
