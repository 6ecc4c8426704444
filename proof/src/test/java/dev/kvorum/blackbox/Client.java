package dev.kvorum.blackbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A well-behaved client of one node. */
public final class Client {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  private final String host;
  private final int port;

  Client(String host, int port) {
    this.host = host;
    this.port = port;
  }

  int port() {
    return port;
  }

  HttpResponse<byte[]> put(String key, byte[] value, String parameters) {
    return send(entity(key, parameters).PUT(BodyPublishers.ofByteArray(value)));
  }

  HttpResponse<byte[]> put(String key, String value) {
    return put(key, value.getBytes(StandardCharsets.UTF_8), "");
  }

  HttpResponse<byte[]> put(String key, BodyPublisher value) {
    return send(entity(key, "").PUT(value));
  }

  public HttpResponse<byte[]> get(String key, String parameters) {
    return send(entity(key, parameters).GET());
  }

  HttpResponse<byte[]> get(String key) {
    return get(key, "");
  }

  HttpResponse<byte[]> delete(String key, String parameters) {
    return send(entity(key, parameters).DELETE());
  }

  HttpResponse<byte[]> delete(String key) {
    return delete(key, "");
  }

  /** GET of any path. */
  HttpResponse<byte[]> path(String path) {
    return send(request(path).GET());
  }

  /** GET of any path that answers in JSON. */
  JsonNode json(String path) {
    return JsonMapper.shared().readTree(path(path).body());
  }

  /**
   * A request for one key, to be completed.
   *
   * @param parameters besides the key, as {@code &ack=1}
   */
  public HttpRequest.Builder entity(String key, String parameters) {
    return request("/v0/entity?id=" + URLEncoder.encode(key, StandardCharsets.UTF_8) + parameters);
  }

  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://" + host + ":" + port + path))
        .timeout(TIMEOUT);
  }

  /** Sends a request; an unanswered one is an {@link UncheckedIOException}. */
  public HttpResponse<byte[]> send(HttpRequest.Builder request) {
    try {
      return HTTP.send(request.build(), BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The answer's body as text. */
  public static String text(HttpResponse<byte[]> response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }
}
