package dev.kvorum.cli;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests to the first node that can be connected. */
public final class ApiClient {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
  public static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** For a count, whose answer begins once all records have been read. */
  static final Duration COUNT_TIMEOUT = Duration.ofHours(1);

  private final HttpClient http;
  private final List<URI> nodes;
  private final Optional<String> token;

  private ApiClient(HttpClient http, List<URI> nodes, Optional<String> token) {
    this.http = http;
    this.nodes = nodes;
    this.token = token;
  }

  /**
   * Creates a client.
   *
   * @param urls addresses of nodes, separated by commas
   * @param tls which certificates it trusts; null: those that Java does
   * @param token of the user that sends the requests
   */
  public static ApiClient of(String urls, @Nullable SSLContext tls, Optional<String> token) {
    List<URI> nodes = new ArrayList<>();
    for (String url : urls.split(",", -1)) {
      nodes.add(node(url.strip()));
    }
    HttpClient.Builder http = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT);
    if (tls != null) {
      http.sslContext(tls);
    }
    return new ApiClient(http.build(), nodes, token);
  }

  private static URI node(String url) {
    try {
      URI node = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
      String scheme = String.valueOf(node.getScheme());
      if (scheme.equals("http") || scheme.equals("https")) {
        boolean isPlain = node.getHost() != null && node.getRawQuery() == null;
        if (isPlain && node.getRawPath().isEmpty()) {
          return node;
        }
      }
    } catch (IllegalArgumentException e) {
      // Explained below.
    }
    throw new CommandException(
        Kv.WRONG, "'" + url + "' is no address of a node; it must be like http://localhost:8080");
  }

  /** A path with a query of these parameters. */
  public static String path(String name, Map<String, ?> parameters) {
    return parameters.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + encoded(entry.getValue().toString()))
        .collect(Collectors.joining("&", "/v0/" + name + "?", ""));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Sends a read whose response is small. */
  public HttpResponse<byte[]> get(String path) {
    return get(path, BodyHandlers.ofByteArray(), TIMEOUT);
  }

  /**
   * Sends a read.
   *
   * @param timeout longest time until the response begins
   */
  public <T> HttpResponse<T> get(String path, BodyHandler<T> body, Duration timeout) {
    return send(request("GET", BodyPublishers.noBody(), timeout), path, body);
  }

  /** Stores a value, with a media type if there is one; returns its version. */
  String put(String path, BodyPublisher value, @Nullable String type) {
    HttpRequest.Builder request = request("PUT", value, TIMEOUT);
    if (type != null) {
      request.header("Content-Type", type);
    }
    return write(request, path, "PUT");
  }

  void delete(String path) {
    write(request("DELETE", BodyPublishers.noBody(), TIMEOUT), path, "DELETE");
  }

  private HttpRequest.Builder request(String method, BodyPublisher value, Duration timeout) {
    HttpRequest.Builder request = HttpRequest.newBuilder().method(method, value).timeout(timeout);
    token.ifPresent(it -> request.header("Authorization", "Bearer " + it));
    return request;
  }

  private String write(HttpRequest.Builder request, String path, String method) {
    HttpResponse<byte[]> response = send(request, path, BodyHandlers.ofByteArray());
    if (response.statusCode() / 100 != 2) {
      throw failure(response, method);
    }
    return response.headers().firstValue("etag").orElse("").replace("\"", "");
  }

  private <T> HttpResponse<T> send(HttpRequest.Builder request, String path, BodyHandler<T> body) {
    List<String> reasons = new ArrayList<>();
    for (URI node : nodes) {
      HttpRequest asked = request.uri(URI.create(node + path)).build();
      try {
        return http.send(asked, body);
      } catch (ConnectException | HttpConnectTimeoutException | UnresolvedAddressException e) {
        // Nothing was sent: another node may be asked, even to write.
        reasons.add(node + " cannot be connected");
      } catch (SSLHandshakeException e) {
        // Nothing was sent here either.
        reasons.add(node + " " + untrusted(e));
      } catch (IOException e) {
        throw new CommandException(
            asked.method().equals("GET") ? Kv.FAILED : Kv.UNKNOWN,
            node
                + " did not respond: "
                + e.getMessage()
                + (asked.method().equals("GET") ? "" : "; the write may or may not be stored"));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CommandException(Kv.FAILED, "interrupted");
      }
    }
    throw new CommandException(
        Kv.FAILED, String.join(", ", reasons) + "; name a node with --url or KVORUM_URL");
  }

  private static String untrusted(SSLHandshakeException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof GeneralSecurityException) {
        return "is not trusted (name the CA of its certificate with --ca): " + cause.getMessage();
      }
    }
    return "does not agree on TLS: " + failure.getMessage();
  }

  /** What an error response says. */
  static CommandException failure(HttpResponse<byte[]> response, String method) {
    return failure(response.statusCode(), response.body(), method);
  }

  /** What an error response says. */
  public static CommandException failure(int status, byte[] body, String method) {
    boolean isUnknown = !method.equals("GET") && (status == 500 || status == 504);
    int code = status == 404 ? Kv.MISSING : isUnknown ? Kv.UNKNOWN : Kv.FAILED;
    return new CommandException(code, status + ": " + detail(body));
  }

  private static String detail(byte[] body) {
    try {
      JsonNode problem = JsonMapper.shared().readTree(body);
      String title = problem.path("title").asString("");
      String detail = problem.path("detail").asString("");
      if (!title.isEmpty()) {
        return title + ": " + detail;
      }
    } catch (JacksonException e) {
      // Not of a node, but perhaps of a proxy.
    }
    return new String(body, StandardCharsets.UTF_8).strip();
  }
}
