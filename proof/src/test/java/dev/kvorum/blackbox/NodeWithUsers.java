package dev.kvorum.blackbox;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;

/** A node alone that serves nothing without credentials. The token of a user is its name. */
final class NodeWithUsers implements AutoCloseable {
  private final Path directory;
  private final NodeProcess node;

  /** Creates a node; to be started once there are users. */
  NodeWithUsers(Path directory, Map<String, String> settings) throws IOException {
    this.directory = directory;
    this.node =
        new NodeProcess(
            "kvorum-0", Files.createDirectory(directory.resolve("data")), Ports.free(), settings);
    node.set("kvorum.auth.file", file().toString())
        .set("kvorum.auth.anonymous", "none")
        .set("kvorum.auth.reload-interval", "100ms");
  }

  NodeProcess node() {
    return node;
  }

  /** Makes it take tokens of ServiceAccounts for an audience. */
  void takeServiceAccounts(String audience) {
    node.set("kvorum.auth.service-accounts", "jwks").set("kvorum.auth.audience", audience);
  }

  private Path file() {
    return directory.resolve("users.json");
  }

  /** Replaces the users by those in JSON, where {@code HASH(name)} is for the token of a user. */
  void write(String users) throws IOException {
    Path next = directory.resolve("users.json.new");
    Files.writeString(
        next,
        Pattern.compile("HASH\\((.*?)\\)")
            .matcher(users)
            .replaceAll(match -> hash(match.group(1))));
    Files.move(next, file(), StandardCopyOption.REPLACE_EXISTING);
  }

  /** What the file has instead of a token. */
  static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  HttpResponse<byte[]> send(String method, String path, String... tokens) {
    return send(node.client(), "/v0/" + path, method, tokens);
  }

  static HttpResponse<byte[]> send(Client client, String path, String method, String... tokens) {
    HttpRequest.Builder request =
        client
            .request(path)
            .method(method, BodyPublishers.ofString(method.equals("PUT") ? "v" : ""));
    for (String token : tokens) {
      request.header("Authorization", "Bearer " + token);
    }
    return client.send(request);
  }

  @Override
  public void close() {
    node.close();
  }
}
