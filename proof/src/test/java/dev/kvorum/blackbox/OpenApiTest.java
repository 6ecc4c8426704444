package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.data.RejectReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The description of the API beside the sources, without a node. */
class OpenApiTest {
  private static final Path SOURCES = Path.of("../app/src/main/java/dev/kvorum/http");
  private static final String NAME = "\\s*\"([a-z]+(?:-[a-z]+)*)\"";
  private static final Pattern PROBLEM =
      Pattern.compile(
          "Problem\\.of\\(\\s*(\\d{3}),(?:"
              + NAME
              + "|\\s*RejectReason\\.([A-Z_]+)\\.label\\(\\)|\\s*mistake\\.problem\\(\\))");
  private static final Pattern MISTAKE =
      Pattern.compile("(?:new BadRequestException|target\\.key)\\((?:" + NAME + "|\\s*missing,)");

  private final OpenApi api = OpenApi.read();

  @Test
  void describesTheProblemsOfTheSourcesAndNoOthers() throws IOException {
    Set<String> problems = new TreeSet<>();
    String outcomes = Files.readString(SOURCES.resolve("problem/Problems.java"));
    assertAllMatch("Problem.of(", outcomes, PROBLEM);
    PROBLEM
        .matcher(outcomes)
        .results()
        .forEach(match -> {
          if (match.group(2) != null) {
            problems.add(match.group(1) + " " + match.group(2));
          } else if (match.group(3) != null) {
            problems.add(match.group(1) + " " + RejectReason.valueOf(match.group(3)).label());
          }
        });
    String all = allSources();
    assertAllMatch("new BadRequestException(", all, MISTAKE);
    MISTAKE
        .matcher(all)
        .results()
        .filter(match -> match.group(1) != null)
        .forEach(match -> problems.add("400 " + match.group(1)));

    assertThat(api.problems()).isEqualTo(problems);
  }

  private static String allSources() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      StringBuilder all = new StringBuilder();
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        all.append(Files.readString(file));
      }
      return all.toString();
    }
  }

  /** Fails where a call does not match the pattern. */
  private static void assertAllMatch(String call, String text, Pattern pattern) {
    Matcher calls = Pattern.compile(Pattern.quote(call)).matcher(text);
    Set<Integer> known =
        pattern.matcher(text).results().map(match -> match.start()).collect(Collectors.toSet());
    while (calls.find()) {
      assertThat(known)
          .as(text.substring(calls.start(), calls.start() + 60))
          .contains(calls.start());
    }
  }

  @Test
  void describesTheProblemsThatThePageExplains() throws IOException {
    String page = Files.readString(OpenApi.FILE.resolveSibling("http-api.md"));
    for (String problem : api.problems()) {
      assertThat(page).contains("`" + problem.substring(4) + "`");
    }
  }

  @Test
  void eachBodyHasAnExampleThatItsSchemaAllows() {
    api.checkExamples();
  }

  @Test
  void usesAllOfItsComponentsAndNoOthers() {
    assertThat(api.components().get("used")).isEqualTo(api.components().get("there"));
  }

  @Test
  void hasStatusesOfAllOperations() {
    assertThat(api.described())
        .contains(
            "GET /v0/entity 304",
            "POST /actuator/backup/{id} 409",
            "DELETE /actuator/kvorum/{what} 200")
        .allMatch(answer -> answer.matches("(GET|HEAD|PUT|POST|DELETE) /\\S+ \\d{3}"));
  }

  @ParameterizedTest
  @CsvSource({
    "DELETE, /v0/entity, 202, etag=\"0123456789abcdef01234567\", ''",
    "GET, /v0/entity, 404, content-type=application/problem+json, not-found",
    "POST, /v0/entity, 405, 'allow=GET, HEAD, PUT, DELETE', method-not-allowed",
    "GET, /nowhere, 400, content-type=application/problem+json, unknown-path",
  })
  void acceptsWhatIsDescribed(String method, String path, int status, String header, String name) {
    assertThatCode(() -> api.check(answer(method, path, status, header, name)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "DELETE, /v0/entity, 204, etag=\"0123456789abcdef01234567\", '', is described",
    "DELETE, /v0/entity, 202, x=y, '', etag of DELETE",
    "DELETE, /v0/entity, 202, etag=0123, '', pattern",
    "GET, /v0/entity, 404, server=netty, not-found, not described",
    "GET, /v0/entity, 404, content-type=text/html, not-found, text/html",
    "GET, /v0/entity, 404, content-type=application/problem+json, no-such-key, enum",
    "GET, /v0/entity, 503, content-type=application/problem+json, overloaded, retry-after",
    "PATCH, /v0/entities, 200, x=y, '', is described",
    "GET, /nowhere, 404, content-type=application/problem+json, not-found, is described",
    "DELETE, /actuator/kvorum/lost-disks, 500, x=y, '', is described",
    "POST, /actuator/backup/20261128T181239Z-0a1b2c3d, 202, x=y, '', is described",
  })
  void failsForWhatIsNotDescribed(
      String method, String path, int status, String header, String name, String complaint) {
    assertThatThrownBy(() -> api.check(answer(method, path, status, header, name)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(complaint);
  }

  private static OpenApi.Answer answer(
      String method, String path, int status, String header, String problem) {
    Map<String, String> headers = new TreeMap<>(Map.of("content-type", "application/problem+json"));
    List<String> parts = List.of(header.split("=", 2));
    headers.put(parts.getFirst(), parts.getLast());
    String body =
        problem.isEmpty()
            ? ""
            : "{\"type\":\"urn:kvorum:problem:%s\",\"title\":\"t\",\"status\":%d,\"detail\":\"d\"}"
                .formatted(problem, status);
    return new OpenApi.Answer(method, path, status, headers, body.getBytes(StandardCharsets.UTF_8));
  }
}
