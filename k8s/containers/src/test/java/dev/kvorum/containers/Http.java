package dev.kvorum.containers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Requests from this machine. */
final class Http {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();

  private Http() {}

  /** A response. */
  record Reply(int status, String body) {
    JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }
  }

  static Reply send(String method, String uri, String body) {
    return send(
        HttpRequest.newBuilder(URI.create(uri)).method(method, BodyPublishers.ofString(body)));
  }

  static Reply send(HttpRequest.Builder request) {
    HttpResponse<String> response = response(request);
    return new Reply(response.statusCode(), response.body());
  }

  static HttpResponse<String> response(HttpRequest.Builder request) {
    try {
      return CLIENT.send(request.timeout(Duration.ofSeconds(10)).build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
