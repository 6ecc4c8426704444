package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What every error answer must look like. */
final class ProblemAssertions {
  private ProblemAssertions() {}

  static JsonNode assertProblem(HttpResponse<byte[]> response, int status, String name) {
    return assertProblem(
        response.statusCode(),
        response.headers().firstValue("content-type").orElse(""),
        response.body(),
        status,
        name);
  }

  static JsonNode assertProblem(RawConnection.Response response, int status, String name) {
    return assertProblem(
        response.status(), response.header("content-type"), response.body(), status, name);
  }

  private static JsonNode assertProblem(
      int actual, String contentType, byte[] body, int status, String name) {
    String text = new String(body, StandardCharsets.UTF_8);
    assertThat(actual).as(text).isEqualTo(status);
    assertThat(contentType).as(text).isEqualTo("application/problem+json");
    assertThat(text).doesNotContain("Exception", "\tat ", "dev.kvorum.");
    JsonNode problem = JsonMapper.shared().readTree(body);
    assertThat(problem.get("type").asString()).isEqualTo("urn:kvorum:problem:" + name);
    assertThat(problem.get("status").asInt()).isEqualTo(status);
    assertThat(problem.get("title").asString()).isNotEmpty();
    assertThat(problem.get("detail").asString()).isNotEmpty();
    return problem;
  }
}
