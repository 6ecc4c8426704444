package dev.kvorum.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Compares JSON with the schemas of the API's description. It supports the keywords that are used
 * there; any other fails, since it would check nothing.
 */
final class JsonSchema {
  private static final Set<String> ANNOTATIONS =
      Set.of("title", "description", "contentEncoding", "format", "default", "example");

  private final UnaryOperator<JsonNode> resolver;

  /** Schemas whose references are followed by {@code resolver}. */
  JsonSchema(UnaryOperator<JsonNode> resolver) {
    this.resolver = resolver;
  }

  /** Fails with each deviation of a value. */
  void check(JsonNode schema, JsonNode value) {
    assertThat(deviations(schema, value, "$")).as("deviations of %s", value).isEmpty();
  }

  private List<String> deviations(JsonNode reference, JsonNode value, String where) {
    JsonNode schema = resolver.apply(reference);
    List<String> found = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : schema.properties()) {
      deviations(schema, entry.getKey(), value, where)
          .forEach(deviation -> found.add(where + ": " + deviation));
    }
    return found;
  }

  private List<String> deviations(JsonNode schema, String keyword, JsonNode value, String where) {
    JsonNode rule = schema.get(keyword);
    if (ANNOTATIONS.contains(keyword)) {
      return List.of();
    }
    return switch (keyword) {
      case "allOf" ->
          rule.valueStream().flatMap(one -> deviations(one, value, where).stream()).toList();
      case "oneOf" ->
          one(rule.valueStream().filter(one -> deviations(one, value, where).isEmpty()).count());
      case "properties" -> properties(rule, value, where);
      case "additionalProperties" -> additional(schema, rule, value, where);
      case "items" ->
          value
              .valueStream()
              .flatMap(item -> deviations(rule, item, where + "[]").stream())
              .toList();
      default ->
          isMet(keyword, rule, value)
              ? List.of()
              : List.of(keyword + " is " + rule + ", not " + value);
    };
  }

  private static List<String> one(long matches) {
    return matches == 1 ? List.of() : List.of(matches + " of oneOf match");
  }

  private List<String> properties(JsonNode rule, JsonNode value, String where) {
    return rule.properties().stream()
        .filter(property -> value.has(property.getKey()))
        .flatMap(property ->
            deviations(
                property.getValue(), value.get(property.getKey()), where + "." + property.getKey())
                .stream())
        .toList();
  }

  private List<String> additional(JsonNode schema, JsonNode rule, JsonNode value, String where) {
    Set<String> names = new HashSet<>(value.propertyNames());
    names.removeAll(Set.copyOf(schema.path("properties").propertyNames()));
    if (rule.isBoolean()) {
      return rule.asBoolean() || names.isEmpty() ? List.of() : List.of("not described: " + names);
    }
    return names.stream()
        .flatMap(name -> deviations(rule, value.get(name), where + "." + name).stream())
        .toList();
  }

  private static boolean isMet(String keyword, JsonNode rule, JsonNode value) {
    return switch (keyword) {
      case "type" -> isOfType(rule.asString(), value);
      case "required" -> rule.valueStream().allMatch(name -> value.has(name.asString()));
      case "enum" -> rule.valueStream().anyMatch(value::equals);
      case "const" -> rule.equals(value);
      case "pattern" -> Pattern.compile(rule.asString()).matcher(value.asString("")).find();
      case "minLength" -> value.asString("").length() >= rule.asInt();
      case "maxLength" -> value.asString("").length() <= rule.asInt();
      case "minimum" -> value.asLong(0) >= rule.asLong();
      case "maximum" -> value.asLong(0) <= rule.asLong();
      case "maxItems" -> value.size() <= rule.asInt();
      default -> fail("a schema has the keyword " + keyword + ", which is not checked");
    };
  }

  private static boolean isOfType(String type, JsonNode value) {
    return switch (type) {
      case "object" -> value.isObject();
      case "array" -> value.isArray();
      case "string" -> value.isString();
      case "integer" -> value.isIntegralNumber();
      case "boolean" -> value.isBoolean();
      default -> fail("a schema has the type " + type + ", which is not checked");
    };
  }
}
