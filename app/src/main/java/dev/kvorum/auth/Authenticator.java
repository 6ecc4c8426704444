package dev.kvorum.auth;

import dev.kvorum.auth.serviceaccount.ServiceAccountTokens;
import dev.kvorum.auth.serviceaccount.TokenResult;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Finds out whose the credentials of a request are. Safe for use by many threads. */
public final class Authenticator implements AutoCloseable {
  private final FailedAttempts failures;
  private final Optional<ServiceAccountTokens> accounts;

  /**
   * Creates an authenticator.
   *
   * @param accounts takes tokens of ServiceAccounts; closed with this
   */
  public Authenticator(FailedAttempts failures, Optional<ServiceAccountTokens> accounts) {
    this.failures = failures;
    this.accounts = accounts;
  }

  /**
   * Finds out whose the credentials of a request are.
   *
   * @param given its headers for credentials, at least one
   * @param wereRight whether they were right before: then other wrong ones of this address do not
   *     matter
   * @param checked what became of an {@link Identity.Checking} of these credentials; null: they
   *     were not checked for this request
   */
  public Identity identify(
      List<String> given,
      Users users,
      Optional<InetAddress> address,
      boolean wereRight,
      @Nullable TokenResult checked) {
    if (!wereRight && address.filter(failures::isBlocked).isPresent()) {
      return Identity.Unknown.BLOCKED;
    }
    Identity identity =
        (given.size() == 1 ? Users.token(given.getFirst()) : Optional.<String>empty())
            .map(token -> ofToken(token, users, checked))
            .orElse(Identity.Unknown.WRONG);
    if (identity == Identity.Unknown.WRONG) {
      address.ifPresent(failures::failed);
    }
    return identity;
  }

  private Identity ofToken(String token, Users users, @Nullable TokenResult checked) {
    String hash = Users.hash(token);
    Optional<User> user = users.withHash(hash);
    if (user.isPresent()) {
      return new Identity.Known(user.get(), OptionalLong.empty());
    }
    if (accounts.isEmpty() || !users.haveAccounts() || !ServiceAccountTokens.isLike(token)) {
      return Identity.Unknown.WRONG;
    }
    if (checked != null) {
      return ofResult(checked, users);
    }
    return accounts
        .get()
        .known(hash)
        .map(known -> ofResult(known, users))
        .orElseGet(() -> new Identity.Checking(accounts.get().check(hash, token)));
  }

  private static Identity ofResult(TokenResult result, Users users) {
    return switch (result) {
      case TokenResult.Account(String name, long untilNanos) -> {
        Optional<User> user = users.withAccount(name);
        yield user.isPresent()
            ? new Identity.Known(user.get(), OptionalLong.of(untilNanos))
            : Identity.Unknown.WRONG;
      }
      case TokenResult.Rejected rejected -> Identity.Unknown.WRONG;
      case TokenResult.Unchecked unchecked -> Identity.Unknown.UNCHECKED;
    };
  }

  @Override
  public void close() {
    accounts.ifPresent(ServiceAccountTokens::close);
  }
}
