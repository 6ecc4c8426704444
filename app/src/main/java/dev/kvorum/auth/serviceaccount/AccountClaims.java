package dev.kvorum.auth.serviceaccount;

import com.nimbusds.jwt.JWTClaimsSet;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a token of a ServiceAccount claims, if it is one that could be taken.
 *
 * @param subject the name by which Kubernetes knows the account
 * @param account namespace and name, with a slash in between
 */
record AccountClaims(String issuer, String subject, String account, Instant expires) {
  private static final Pattern SUBJECT =
      Pattern.compile("system:serviceaccount:([a-z0-9-]{1,63}):([a-z0-9.-]{1,253})");

  /** By how much the API server's clock may be ahead. That something has expired allows nothing. */
  private static final Duration SKEW = Duration.ofMinutes(1);

  /**
   * Reads the claims.
   *
   * @throws RejectedTokenException if such a token is not taken, even if it is genuine
   */
  static AccountClaims of(JWTClaimsSet claims, TokenSettings settings, Instant now)
      throws RejectedTokenException {
    // A token for others too could be used there by this node.
    if (!List.of(settings.audience()).equals(claims.getAudience())) {
      throw new RejectedTokenException("its audience is not " + settings.audience() + " alone");
    }
    if (settings.audience().equals(claims.getIssuer())) {
      throw new RejectedTokenException("its audience is the API server itself");
    }
    Instant issued = instant(claims.getIssueTime(), "iat");
    Instant expires = instant(claims.getExpirationTime(), "exp");
    if (!expires.isAfter(now)) {
      throw new RejectedTokenException("it has expired");
    }
    if (Duration.between(issued, expires).compareTo(settings.lifetimeMax()) > 0) {
      throw new RejectedTokenException("it lives for longer than " + settings.lifetimeMax());
    }
    Instant latest = now.plus(SKEW);
    Date notBefore = claims.getNotBeforeTime();
    if (issued.isAfter(latest) || (notBefore != null && notBefore.toInstant().isAfter(latest))) {
      throw new RejectedTokenException("it is not valid yet");
    }
    String subject = claims.getSubject() == null ? "" : claims.getSubject();
    Matcher names = SUBJECT.matcher(subject);
    if (!names.matches() || claims.getIssuer() == null) {
      throw new RejectedTokenException("it is not that of a ServiceAccount");
    }
    String account = names.group(1) + "/" + names.group(2);
    return new AccountClaims(claims.getIssuer(), subject, account, expires);
  }

  private static Instant instant(@Nullable Date date, String claim) throws RejectedTokenException {
    if (date == null) {
      throw new RejectedTokenException("it has no " + claim);
    }
    return date.toInstant();
  }
}
