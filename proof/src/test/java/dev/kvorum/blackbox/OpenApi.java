package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The description of the HTTP API, which answers of nodes are compared with. */
final class OpenApi {
  static final Path FILE = Path.of("..", "docs", "openapi.yaml");

  private static final String PROBLEM = "application/problem+json";
  private static final Set<String> METHODS = Set.of("get", "head", "put", "delete", "post");
  // What HTTP itself needs, and no operation describes.
  private static final Set<String> FRAMING =
      Set.of("content-length", "content-type", "transfer-encoding", "connection");

  private final JsonNode root;
  private final JsonSchema schemas = new JsonSchema(this::resolved);
  private final Set<String> seen = new ConcurrentSkipListSet<>();

  /** An answer of a node. Header names are in lower case. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Answer(String method, String path, int status, Map<String, String> headers, byte[] body) {
    static Answer of(HttpResponse<byte[]> response) {
      Map<String, String> headers = new TreeMap<>();
      response
          .headers()
          .map()
          .forEach((name, values) ->
              headers.put(name.toLowerCase(Locale.ROOT), String.join(", ", values)));
      return new Answer(
          response.request().method(),
          response.request().uri().getPath(),
          response.statusCode(),
          headers,
          response.body());
    }

    String mediaType() {
      return headers.getOrDefault("content-type", "").split(";", 2)[0];
    }

    String text() {
      return new String(body, StandardCharsets.UTF_8);
    }
  }

  private OpenApi(JsonNode root) {
    this.root = root;
  }

  static OpenApi read() {
    try {
      ObjectNode both = document(FILE);
      ObjectNode management = document(FILE.resolveSibling("openapi-management.yaml"));
      merge(both.withObject("paths"), management.path("paths"));
      for (Map.Entry<String, JsonNode> kind : management.path("components").properties()) {
        merge(both.withObject("components").withObject(kind.getKey()), kind.getValue());
      }
      return new OpenApi(both);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode document(Path file) throws IOException {
    Object document = new Yaml().load(Files.readString(file));
    return JsonMapper.shared().valueToTree(document);
  }

  private static void merge(ObjectNode all, JsonNode more) {
    for (Map.Entry<String, JsonNode> entry : more.properties()) {
      assertThat(all.has(entry.getKey())).as("%s is in both files", entry.getKey()).isFalse();
      all.set(entry.getKey(), entry.getValue());
    }
  }

  /** Fails unless the answer to one of the operations, or beside them, is as described. */
  HttpResponse<byte[]> check(HttpResponse<byte[]> response) {
    check(Answer.of(response));
    return response;
  }

  void check(Answer answer) {
    String path = template(answer.path());
    JsonNode operations = root.path("paths").path(path);
    String method = answer.method().toLowerCase(Locale.ROOT);
    if (operations.isMissingNode()) {
      check(root.path("x-unknown-path"), answer, "any path");
    } else if (METHODS.contains(method) && operations.has(method)) {
      check(operations.path(method).path("responses"), answer, answer.method() + " " + path);
    } else {
      check(operations.path("x-other-methods"), answer, "other " + path);
    }
  }

  /** Fails unless the answer is as described for what is not HTTP/1.1. */
  void checkMalformed(RawConnection.Response response) {
    Answer answer = new Answer("", "", response.status(), response.headers(), response.body());
    check(root.path("x-any-request"), answer, "any request");
  }

  private void check(JsonNode responses, Answer answer, String name) {
    String what = name + " " + answer.status();
    String status = Integer.toString(answer.status());
    assertThat(responses.has(status)).as("%s is described: %s", what, answer.text()).isTrue();
    JsonNode response = resolved(responses.get(status));
    seen.add(what);
    checkHeaders(response.path("headers"), answer, what);
    checkBody(response.path("content"), answer, what);
  }

  private void checkHeaders(JsonNode described, Answer answer, String what) {
    Set<String> other = new TreeSet<>(answer.headers().keySet());
    other.removeAll(FRAMING);
    for (Map.Entry<String, JsonNode> entry : described.properties()) {
      JsonNode header = resolved(entry.getValue());
      String name = entry.getKey().toLowerCase(Locale.ROOT);
      String value = answer.headers().get(name);
      other.remove(name);
      if (header.path("required").asBoolean(false)) {
        assertThat(value).as("%s of %s", name, what).isNotNull();
      }
      if (value != null) {
        schemas.check(header.get("schema"), JsonMapper.shared().valueToTree(value));
      }
    }
    assertThat(other).as("headers of %s that are not described", what).isEmpty();
  }

  private void checkBody(JsonNode content, Answer answer, String what) {
    if (content.isMissingNode()) {
      assertThat(answer.text()).as("body of %s", what).isEmpty();
      return;
    }
    String type = answer.mediaType();
    String described = content.has(type) ? type : "*/*";
    assertThat(content.has(described)).as("%s may be %s", what, type).isTrue();
    JsonNode schema = content.get(described).path("schema");
    if (answer.method().equals("HEAD") || schema.isMissingNode()) {
      return;
    }
    if (type.equals("application/x-ndjson") && !answer.headers().containsKey("content-encoding")) {
      answer.text().lines().forEach(line -> checkJson(schema, line));
    } else if (type.endsWith("json") && !type.equals("application/x-ndjson")) {
      checkJson(schema, answer.text());
    }
  }

  private void checkJson(JsonNode schema, String json) {
    schemas.check(schema, JsonMapper.shared().readTree(json));
  }

  /** The path as described, where one has parameters; else the path itself. */
  private String template(String path) {
    return root.path("paths").propertyNames().stream()
        .filter(name -> path.matches(name.replaceAll("\\{[a-z]+\\}", "[^/]+")))
        .findFirst()
        .orElse(path);
  }

  /** What answers were compared with, as in {@code GET /v0/entity 200}. */
  Set<String> seen() {
    return new TreeSet<>(seen);
  }

  /** All answers of operations that are described. */
  Set<String> described() {
    Set<String> all = new TreeSet<>();
    for (Map.Entry<String, JsonNode> path : root.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        String name = operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey() + " ";
        operation
            .getValue()
            .path("responses")
            .propertyNames()
            .forEach(code -> all.add(name + code));
      }
    }
    return all;
  }

  /** All problems that are described, each with its status, as in {@code 404 not-found}. */
  Set<String> problems() {
    return root.path("components")
        .path("responses")
        .valueStream()
        .map(response -> response.path("content").path(PROBLEM).path("schema"))
        .filter(JsonNode::isObject)
        .flatMap(schema -> {
          JsonNode properties = resolved(schema).path("allOf").get(1).path("properties");
          String status = properties.path("status").path("const").asString() + " ";
          return properties
              .path("type")
              .path("enum")
              .valueStream()
              .map(type -> status + type.asString().replace("urn:kvorum:problem:", ""));
        })
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Fails unless each body that is described has an example that its schema allows. */
  void checkExamples() {
    root.findValues("content").stream()
        .flatMap(content -> content.properties().stream())
        .filter(body -> body.getValue().has("schema"))
        .forEach(body -> {
          JsonNode schema = body.getValue().get("schema");
          JsonNode example =
              body.getValue().has("example")
                  ? body.getValue().get("example")
                  : resolved(schema).path("example");
          assertThat(example.isMissingNode())
              .as("%s without an example: %s", body.getKey(), schema)
              .isFalse();
          schemas.check(schema, example);
        });
  }

  /** All parts that may be referred to, and all that are. */
  Map<String, Set<String>> components() {
    Set<String> there = new TreeSet<>();
    for (Map.Entry<String, JsonNode> kind : root.path("components").properties()) {
      kind.getValue()
          .propertyNames()
          .forEach(name -> there.add("#/components/" + kind.getKey() + "/" + name));
    }
    Set<String> used =
        root.findValues("$ref").stream()
            .map(JsonNode::asString)
            .collect(Collectors.toCollection(TreeSet::new));
    root.findValues("security").stream()
        .flatMap(needed -> needed.valueStream())
        .flatMap(one -> one.propertyNames().stream())
        .forEach(name -> used.add("#/components/securitySchemes/" + name));
    return Map.of("there", there, "used", used);
  }

  private JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? resolved(root.at(node.get("$ref").asString().substring(1))) : node;
  }

  /** Sends a request, and compares what comes back with the description. */
  HttpResponse<byte[]> send(Client client, String method, String path, String... headers) {
    HttpRequest.Builder request = client.request(path);
    boolean hasBody = method.equals("PUT");
    request.method(method, hasBody ? BodyPublishers.ofString("v") : BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return check(client.send(request));
  }
}
