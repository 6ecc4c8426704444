package dev.kvorum.http;

import dev.kvorum.auth.Authenticator;
import dev.kvorum.auth.Identity;
import dev.kvorum.auth.User;
import dev.kvorum.auth.UserFile;
import dev.kvorum.auth.Users;
import dev.kvorum.security.ClientCertificates;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AttributeKey;
import java.util.List;
import java.util.OptionalLong;

/**
 * Who sends requests. That is found out once for a connection, and again when its credentials or
 * the users have changed, or when a token must be checked again. Safe for use by many threads.
 */
final class Callers {
  private static final AttributeKey<Sender> SENDER = AttributeKey.valueOf("kvorum.user");

  private final UserFile file;
  private final Authenticator authenticator;

  Callers(UserFile file, Authenticator authenticator) {
    this.file = file;
    this.authenticator = authenticator;
  }

  /**
   * Who has sent the last request of a connection.
   *
   * @param credentials its header; empty: there was none
   * @param users those of then
   */
  private record Sender(String credentials, Users users, Identity.Known identity) {
    /** Each change of the file makes another object, so that no contents need be compared. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(String header, Users now, long nanos) {
      OptionalLong until = identity.untilNanos();
      return users == now
          && credentials.equals(header)
          && (until.isEmpty() || until.getAsLong() - nanos > 0);
    }
  }

  Identity of(Exchange exchange) {
    Channel channel = exchange.channel();
    HttpHeaders headers = exchange.request().requestHeaders();
    List<String> given = file.isUsed() ? headers.getAll(HttpHeaderNames.AUTHORIZATION) : List.of();
    String header = given.isEmpty() ? "" : given.getFirst();
    Users users = file.users();
    Sender sender = channel.attr(SENDER).get();
    if (sender != null && given.size() <= 1 && sender.isOf(header, users, exchange.beganNanos())) {
      return sender.identity();
    }
    if (given.isEmpty()) {
      User user = ofCertificate(channel, users);
      return remembered(channel, header, users, new Identity.Known(user, OptionalLong.empty()));
    }
    boolean wereRight = sender != null && sender.credentials().equals(header);
    Identity identity =
        authenticator.identify(given, users, exchange.address(), wereRight, exchange.checked());
    if (identity instanceof Identity.Known known) {
      return remembered(channel, header, users, known);
    }
    if (wereRight && identity == Identity.Unknown.WRONG) {
      channel.attr(SENDER).set(null);
    }
    return identity;
  }

  private static Identity remembered(
      Channel channel, String header, Users users, Identity.Known identity) {
    channel.attr(SENDER).set(new Sender(header, users, identity));
    return identity;
  }

  private User ofCertificate(Channel channel, Users users) {
    return ClientCertificates.commonName(channel)
        .flatMap(users::withCertificate)
        .orElseGet(file::anonymous);
  }
}
