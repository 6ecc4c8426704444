package dev.kvorum.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Options of all commands that send requests: whom they trust, and as which user they come. */
public final class ClientAccess {
  @Option(
      names = "--ca",
      paramLabel = "FILE",
      scope = CommandLine.ScopeType.INHERIT,
      description =
          "PEM file of the CA of the nodes' certificates, for https; default $KVORUM_CA, or those"
              + " that Java trusts")
  private @Nullable Path ca;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      scope = CommandLine.ScopeType.INHERIT,
      description =
          "file with the token of a user, where nodes have users; default the token in $KVORUM_TOKEN")
  private @Nullable Path tokenFile;

  public ClientAccess() {}

  /** Which certificates are trusted; empty: those that Java trusts. */
  public Optional<SSLContext> tls() {
    String variable = System.getenv("KVORUM_CA");
    Path file = ca == null && variable != null ? Path.of(variable) : ca;
    return Optional.ofNullable(file).map(TrustedCertificates::of);
  }

  /** The same, where no file is named and CAs are known. */
  public Optional<SSLContext> tls(String source, Optional<String> authorities) throws IOException {
    return ca == null && authorities.isPresent()
        ? Optional.of(
            TrustedCertificates.of(
                source,
                new ByteArrayInputStream(authorities.get().getBytes(StandardCharsets.US_ASCII))))
        : tls();
  }

  /** The token of a user. Not an argument: others on the machine can see those. */
  public Optional<String> token() {
    if (tokenFile == null) {
      return Optional.ofNullable(System.getenv("KVORUM_TOKEN"))
          .filter(it -> !it.isEmpty())
          .map(it -> word("$KVORUM_TOKEN", it));
    }
    try {
      return Optional.of(word(tokenFile.toString(), Files.readString(tokenFile)));
    } catch (IOException e) {
      throw new CommandException(CommandException.WRONG, tokenFile + " cannot be read");
    }
  }

  /** The token in a text. */
  public static String word(String source, String text) {
    String token = text.strip();
    if (token.isEmpty() || token.chars().anyMatch(letter -> letter <= ' ' || letter > '~')) {
      throw new CommandException(
          CommandException.WRONG, source + " has no token: one word of ASCII characters");
    }
    return token;
  }
}
