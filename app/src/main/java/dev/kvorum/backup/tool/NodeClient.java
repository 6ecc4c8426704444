package dev.kvorum.backup.tool;

import dev.kvorum.cli.ClientAccess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests to the management port of one node. */
final class NodeClient {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private final HttpClient http;
  private final URI address;
  private final Optional<String> token;

  private NodeClient(HttpClient http, URI address, Optional<String> token) {
    this.http = http;
    this.address = address;
    this.token = token;
  }

  /** A node's response that is an error. */
  static final class RejectedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    RejectedException(int status, String message) {
      super(message);
      this.status = status;
    }

    /** Whether the same request may get another response later. */
    boolean isTransient() {
      return status >= 500;
    }
  }

  static NodeClient of(String address, ClientAccess access) {
    HttpClient.Builder http =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT_TIMEOUT)
            .version(HttpClient.Version.HTTP_1_1);
    access.tls().ifPresent(http::sslContext);
    return new NodeClient(http.build(), parsed(address.strip()), access.token());
  }

  private static URI parsed(String text) {
    try {
      URI uri = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
      String scheme = String.valueOf(uri.getScheme());
      boolean isPlain = uri.getRawQuery() == null && uri.getRawUserInfo() == null;
      if (scheme.matches("https?")
          && uri.getHost() != null
          && uri.getRawPath().isEmpty()
          && isPlain) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Explained below.
    }
    throw KvorumBackup.wrong(
        "'" + text + "' is no management address of a node; it must be like http://localhost:8090");
  }

  /** Whether others on the network cannot read what is sent. */
  boolean isPrivate() {
    if ("https".equals(address.getScheme())) {
      return true;
    }
    try {
      return InetAddress.getByName(address.getHost()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder().GET(), path);
  }

  JsonNode post(String path, Map<String, ?> body) throws IOException, InterruptedException {
    String json = JsonMapper.shared().writeValueAsString(body);
    return send(
        HttpRequest.newBuilder()
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)),
        path);
  }

  JsonNode delete(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder().DELETE(), path);
  }

  private JsonNode send(HttpRequest.Builder request, String path)
      throws IOException, InterruptedException {
    token.ifPresent(it -> request.header("Authorization", "Bearer " + it));
    request.uri(URI.create(address + path)).timeout(TIMEOUT).header("Accept", "application/json");
    HttpResponse<byte[]> response;
    try {
      response = http.send(request.build(), BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new IOException(address + " does not respond: " + reason(e), e);
    }
    if (response.statusCode() / 100 != 2) {
      String detail = detail(response.body());
      throw new RejectedException(
          response.statusCode(),
          address + " rejected " + path + " with " + response.statusCode() + ": " + detail);
    }
    try {
      return JsonMapper.shared().readTree(response.body());
    } catch (JacksonException e) {
      throw new IOException(address + " sent no JSON: is it a management port?", e);
    }
  }

  private static String reason(IOException e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private static String detail(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8).strip();
    try {
      JsonNode json = JsonMapper.shared().readTree(body);
      String message = json.path("message").asString("");
      String detail = json.path("detail").asString("");
      return !message.isEmpty() ? message : !detail.isEmpty() ? detail : text;
    } catch (JacksonException e) {
      return text;
    }
  }

  @Override
  public String toString() {
    return address.toString();
  }
}
