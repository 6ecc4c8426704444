package dev.kvorum.auth;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads users from JSON. A field that is unknown or has another type is an error: ignored, it could
 * give someone more rights than was meant.
 */
final class UserParser {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final List<String> PROOFS =
      List.of("tokenSha256", "clientCertificate", "serviceAccount");
  private static final Set<String> FIELDS =
      Set.of(
          "name",
          "tokenSha256",
          "clientCertificate",
          "serviceAccount",
          "rules",
          "limits",
          "observer",
          "administrator");
  private static final Pattern SHA_256 = Pattern.compile("[0-9a-fA-F]{64}");
  private static final Pattern ACCOUNT = Pattern.compile("[a-z0-9-]{1,63}/[a-z0-9.-]{1,253}");
  private static final int NAME_CHARS_MAX = 128;
  private static final String VERBS =
      Arrays.stream(Verb.values()).map(Verb::label).collect(Collectors.joining(", "));

  private final Map<String, User> byToken = new HashMap<>();
  private final Map<String, User> byCertificate = new HashMap<>();
  private final Map<String, User> byAccount = new HashMap<>();
  private final Set<String> names = new HashSet<>();

  private final Map<String, UserLimits> before;
  private final LongSupplier nanoTime;

  private UserParser(Map<String, UserLimits> before, LongSupplier nanoTime) {
    this.before = before;
    this.nanoTime = nanoTime;
  }

  /**
   * Reads users.
   *
   * @param before the users so far: who is among them goes on with what it has used
   */
  static Users parse(String json, Users before, LongSupplier nanoTime)
      throws InvalidUsersException {
    try {
      JsonNode root = JSON.readTree(json);
      return new UserParser(before.limits(), nanoTime).users(root);
    } catch (JacksonException e) {
      throw new InvalidUsersException("this is not JSON: " + e.getOriginalMessage());
    }
  }

  private Users users(JsonNode root) throws InvalidUsersException {
    check(root, "the file", Set.of("users"));
    JsonNode users = list(root, "users", "the file");
    for (int i = 0; i < users.size(); i++) {
      add(users.get(i), "users[" + i + "]");
    }
    return new Users(byToken, byCertificate, byAccount, names.size());
  }

  private void add(JsonNode json, String where) throws InvalidUsersException {
    check(json, where, FIELDS);
    String name = text(json, "name", where);
    if (name.isEmpty() || name.length() > NAME_CHARS_MAX) {
      throw new InvalidUsersException(where + ": name must have 1 to " + NAME_CHARS_MAX + " chars");
    }
    if (!names.add(name)) {
      throw new InvalidUsersException(where + ": another user is called '" + name + "'");
    }
    List<Rights.Rule> rules = new ArrayList<>();
    JsonNode list = list(json, "rules", where);
    for (int i = 0; i < list.size(); i++) {
      rules.add(rule(list.get(i), where + " ('" + name + "'): rules[" + i + "]"));
    }
    User user =
        new User(name, Rights.of(rules), limits(json, name, where), management(json, where));
    if (PROOFS.stream().noneMatch(json::has)) {
      throw new InvalidUsersException(
          where + ": '" + name + "' needs one of " + String.join(", ", PROOFS));
    }
    if (json.has("tokenSha256")) {
      String hash = text(json, "tokenSha256", where);
      if (!SHA_256.matcher(hash).matches()) {
        throw new InvalidUsersException(
            where + ": tokenSha256 of '" + name + "' must have 64 hexadecimal digits");
      }
      put(byToken, hash.toLowerCase(Locale.ROOT), user, where + ": tokenSha256");
    }
    if (json.has("clientCertificate")) {
      String commonName = text(json, "clientCertificate", where);
      put(byCertificate, commonName, user, where + ": clientCertificate");
    }
    if (json.has("serviceAccount")) {
      String account = text(json, "serviceAccount", where);
      if (!ACCOUNT.matcher(account).matches()) {
        throw new InvalidUsersException(
            where + ": serviceAccount of '" + name + "' must be NAMESPACE/NAME");
      }
      put(byAccount, account, user, where + ": serviceAccount");
    }
  }

  private static void put(Map<String, User> users, String proof, User user, String where)
      throws InvalidUsersException {
    User other = users.putIfAbsent(proof, user);
    if (other != null) {
      throw new InvalidUsersException(
          where + " of '" + user.name() + "' is also that of '" + other.name() + "'");
    }
  }

  private static ManagementRight management(JsonNode json, String where)
      throws InvalidUsersException {
    boolean observes = isTrue(json, "observer", where);
    return isTrue(json, "administrator", where)
        ? ManagementRight.ADMINISTER
        : observes ? ManagementRight.OBSERVE : ManagementRight.NONE;
  }

  private static boolean isTrue(JsonNode json, String field, String where)
      throws InvalidUsersException {
    JsonNode said = json.path(field);
    if (!said.isMissingNode() && !said.isBoolean()) {
      throw new InvalidUsersException(where + ": " + field + " must be true or false");
    }
    return said.isBoolean() && said.booleanValue();
  }

  private UserLimits limits(JsonNode json, String name, String user) throws InvalidUsersException {
    if (!json.has("limits")) {
      return UserLimits.NONE;
    }
    JsonNode limits = json.get("limits");
    String where = user + " ('" + name + "'): limits";
    check(limits, where, Set.of("requestsPerSecond", "bytesInFlight"));
    long requests = number(limits, "requestsPerSecond", 1, UserLimits.REQUESTS_MAX, where);
    long bytes = number(limits, "bytesInFlight", UserLimits.BYTES_MIN, UserLimits.BYTES_MAX, where);
    UserLimits fresh = UserLimits.of((int) requests, bytes, nanoTime);
    UserLimits used = before.get(name);
    return used == null ? fresh : fresh.after(used);
  }

  /** A number in a field; 0 without the field. */
  private static long number(JsonNode json, String field, long min, long max, String where)
      throws InvalidUsersException {
    if (!json.has(field)) {
      return 0;
    }
    JsonNode number = json.get(field);
    long value = number.isIntegralNumber() && number.canConvertToLong() ? number.longValue() : -1;
    if (value < min || value > max) {
      throw new InvalidUsersException(
          where + ": " + field + " must be a whole number from " + min + " to " + max);
    }
    return value;
  }

  private static Rights.Rule rule(JsonNode json, String where) throws InvalidUsersException {
    check(json, where, Set.of("prefix", "key", "verbs"));
    if (json.has("prefix") == json.has("key")) {
      throw new InvalidUsersException(where + " needs either prefix or key");
    }
    Set<Verb> verbs = EnumSet.noneOf(Verb.class);
    JsonNode list = list(json, "verbs", where);
    for (JsonNode verb : list) {
      verbs.add(verb(verb, where));
    }
    if (verbs.isEmpty()) {
      throw new InvalidUsersException(where + ": verbs is empty; there are " + VERBS);
    }
    return new Rights.Rule(keys(json, where), verbs);
  }

  private static KeyRange keys(JsonNode json, String where) throws InvalidUsersException {
    String field = json.has("key") ? "key" : "prefix";
    byte[] bytes = utf8(text(json, field, where), where + ": " + field);
    if (bytes.length > Key.BYTES_MAX) {
      throw new InvalidUsersException(
          where + ": " + field + " has " + bytes.length + " bytes; a key has at most 1024");
    }
    if (bytes.length > 0) {
      Key key = Key.ofBytes(bytes);
      return field.equals("key") ? KeyRange.only(key) : KeyRange.ofPrefix(key);
    }
    if (field.equals("key")) {
      throw new InvalidUsersException(where + ": key is empty; an empty prefix is that of all");
    }
    return KeyRange.ALL;
  }

  private static byte[] utf8(String text, String where) throws InvalidUsersException {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[encoded.remaining()];
      encoded.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      throw new InvalidUsersException(where + " is no text: it has half of a surrogate pair");
    }
  }

  private static Verb verb(JsonNode json, String where) throws InvalidUsersException {
    for (Verb verb : Verb.values()) {
      if (json.isString() && verb.label().equals(json.stringValue())) {
        return verb;
      }
    }
    throw new InvalidUsersException(where + ": " + json + " is no verb; there are " + VERBS);
  }

  private static void check(JsonNode json, String where, Set<String> fields)
      throws InvalidUsersException {
    if (!json.isObject()) {
      throw new InvalidUsersException(where + " must be an object");
    }
    for (String field : json.propertyNames()) {
      if (!fields.contains(field)) {
        throw new InvalidUsersException(where + ": '" + field + "' is unknown");
      }
    }
  }

  private static JsonNode list(JsonNode json, String field, String where)
      throws InvalidUsersException {
    JsonNode list = json.path(field);
    if (!list.isArray()) {
      throw new InvalidUsersException(where + ": " + field + " must be a list");
    }
    return list;
  }

  private static String text(JsonNode json, String field, String where)
      throws InvalidUsersException {
    JsonNode text = json.path(field);
    if (!text.isString()) {
      throw new InvalidUsersException(where + ": " + field + " must be a text");
    }
    return text.stringValue();
  }
}
