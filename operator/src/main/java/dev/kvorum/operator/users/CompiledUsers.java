package dev.kvorum.operator.users;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvorum.operator.api.AuthenticationType;
import dev.kvorum.operator.api.KeyRule;
import dev.kvorum.operator.api.KeyVerb;
import dev.kvorum.operator.api.KeysSpec;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.KvorumRole;
import dev.kvorum.operator.api.KvorumUser;
import dev.kvorum.operator.api.LimitsSpec;
import dev.kvorum.operator.api.Quantities;
import dev.kvorum.operator.api.UserReason;
import dev.kvorum.operator.resources.Digests;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The users of a cluster as its nodes read them. What is wrong with one user never affects another:
 * it is left out, or has fewer rights than it asks for.
 *
 * @param json the file
 * @param problems what is wrong, by name of the user
 */
record CompiledUsers(String json, SortedMap<String, UserNotice> problems) {
  /** What a node accepts as a key. */
  private static final int KEY_BYTES_MAX = 1024;

  /** What a node accepts as a limit of bytes in flight. */
  private static final long LIMIT_BYTES_MIN = 1L << 20;

  private static final long LIMIT_BYTES_MAX = 1L << 40;

  CompiledUsers {
    problems = Collections.unmodifiableSortedMap(new TreeMap<>(problems));
  }

  /**
   * Compiles users.
   *
   * @param spec that of their cluster
   * @param operator the operator's own token
   * @param secrets those that exist, by name
   */
  static CompiledUsers of(
      KvorumClusterSpec spec,
      String operator,
      List<KvorumUser> users,
      List<KvorumRole> roles,
      Map<String, Secret> secrets) {
    return new Compiler(spec, operator, roles, secrets).compile(users);
  }

  private static final class Compiler {
    private final String operator;
    private final boolean takesNoAccounts;
    private final Map<String, List<KeyRule>> roles;
    private final Map<String, Secret> secrets;
    private final SortedMap<String, ObjectNode> compiled = new TreeMap<>();
    private final SortedMap<String, UserNotice> problems = new TreeMap<>();

    /** Names of users by what they prove themselves with. */
    private final Map<Proof, String> taken = new HashMap<>();

    private record Proof(String kind, String value) {}

    Compiler(
        KvorumClusterSpec spec,
        String operator,
        List<KvorumRole> roles,
        Map<String, Secret> secrets) {
      this.operator = operator;
      taken.put(new Proof("token", Digests.sha256(operator)), OperatorUser.NAME);
      this.takesNoAccounts = spec.serviceAccounts().filter("off"::equals).isPresent();
      this.roles =
          roles.stream()
              .collect(
                  Collectors.toMap(
                      role -> role.getMetadata().getName(), role -> role.getSpec().rules()));
      this.secrets = secrets;
    }

    CompiledUsers compile(List<KvorumUser> users) {
      // What two users claim is the older one's.
      users.stream()
          .sorted(
              Comparator.comparing((KvorumUser user) -> user.getMetadata().getCreationTimestamp())
                  .thenComparing(user -> user.getMetadata().getName()))
          .forEach(this::add);
      ObjectNode file = JsonNodeFactory.instance.objectNode();
      file.putArray("users").add(OperatorUser.json(operator)).addAll(compiled.values());
      return new CompiledUsers(file.toString(), problems);
    }

    private void add(KvorumUser user) {
      String name = user.getMetadata().getName();
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put("name", name);
      identify(user, json)
          .filter(proof -> isFree(proof, name))
          .ifPresent(proof -> {
            json.set("rules", rules(user));
            limits(user.getSpec().limits(), json);
            if (Boolean.TRUE.equals(user.getSpec().administrator())) {
              json.put("administrator", true);
            }
            if (Boolean.TRUE.equals(user.getSpec().observer())) {
              json.put("observer", true);
            }
            compiled.put(name, json);
          });
    }

    /** Adds what a user proves itself with, and returns it; empty if it cannot. */
    private Optional<Proof> identify(KvorumUser user, ObjectNode json) {
      String name = user.getMetadata().getName();
      AuthenticationType type = user.getSpec().authentication().type();
      if (type == null) {
        return problem(
            name,
            UserReason.UNKNOWN_AUTHENTICATION,
            "this operator knows the types token, tls and serviceAccount");
      }
      return switch (type) {
        case TOKEN ->
            token(user)
                .map(token -> {
                  String hash = Digests.sha256(token);
                  json.put("tokenSha256", hash);
                  return new Proof("token", hash);
                });
        case TLS -> {
          String said = user.getSpec().authentication().commonName();
          String commonName = said == null ? name : said;
          json.put("clientCertificate", commonName);
          yield Optional.of(new Proof("common name", commonName));
        }
        case SERVICE_ACCOUNT ->
            account(user)
                .map(account -> {
                  json.put("serviceAccount", account);
                  return new Proof("service account", account);
                });
      };
    }

    private Optional<String> token(KvorumUser user) {
      String name = user.getMetadata().getName();
      String secret = TokenSecrets.name(user).orElseThrow();
      Secret there = secrets.get(secret);
      if (there == null) {
        return problem(name, UserReason.SECRET_MISSING, "the Secret " + secret + " does not exist");
      }
      if (TokenSecrets.isForeign(there, user)) {
        return problem(
            name,
            UserReason.FOREIGN_SECRET,
            "the Secret "
                + secret
                + " belongs to another object, or to an earlier user of this name");
      }
      Optional<String> token = TokenSecrets.token(there);
      return token.isPresent()
          ? token
          : problem(
              name,
              UserReason.INVALID_TOKEN,
              "the Secret "
                  + secret
                  + " must have a key token with 16 to 1024 visible ASCII characters");
    }

    private Optional<String> account(KvorumUser user) {
      String name = user.getMetadata().getName();
      if (takesNoAccounts) {
        return problem(
            name,
            UserReason.SERVICE_ACCOUNTS_OFF,
            "the cluster's setting kvorum.auth.service-accounts is off");
      }
      Optional<String> account =
          Optional.ofNullable(user.getSpec().authentication().serviceAccount())
              .flatMap(it -> it.inFull(user.getMetadata().getNamespace()));
      return account.isPresent()
          ? account
          : problem(
              name,
              UserReason.INVALID_SERVICE_ACCOUNT,
              "serviceAccount needs the name of a ServiceAccount, and of its namespace if that is"
                  + " another one");
    }

    private boolean isFree(Proof proof, String name) {
      String other = taken.putIfAbsent(proof, name);
      if (other == null) {
        return true;
      }
      problem(
          name,
          UserReason.DUPLICATE,
          "its " + proof.kind() + " is that of the older user " + other);
      return false;
    }

    private ArrayNode rules(KvorumUser user) {
      String name = user.getMetadata().getName();
      List<String> unknown =
          user.getSpec().roles().stream().filter(role -> !roles.containsKey(role)).toList();
      if (!unknown.isEmpty()) {
        problem(
            name,
            UserReason.UNKNOWN_ROLE,
            "no KvorumRole of the cluster is called " + String.join(", ", unknown));
      }
      ArrayNode rules = JsonNodeFactory.instance.arrayNode();
      Stream.concat(
              user.getSpec().rules().stream(),
              user.getSpec().roles().stream()
                  .flatMap(role -> roles.getOrDefault(role, List.of()).stream()))
          .distinct()
          .forEach(rule ->
              compile(rule)
                  .ifPresentOrElse(
                      rules::add,
                      () ->
                          problem(
                              name,
                              UserReason.INVALID_RULE,
                              "a rule has keys of more than "
                                  + KEY_BYTES_MAX
                                  + " bytes, none, or verbs that this operator does not know")));
      return rules;
    }

    private static void limits(@Nullable LimitsSpec limits, ObjectNode user) {
      if (limits == null
          || (limits.requestsPerSecond() == null && limits.bytesInFlight() == null)) {
        return;
      }
      ObjectNode json = user.putObject("limits");
      if (limits.requestsPerSecond() != null) {
        json.put("requestsPerSecond", limits.requestsPerSecond());
      }
      if (limits.bytesInFlight() != null) {
        // What the API server has not checked must not make a node reject the file.
        long bytes =
            Quantities.read(limits.bytesInFlight())
                .map(it -> Quantity.getAmountInBytes(it).longValue())
                .orElse(LIMIT_BYTES_MIN);
        json.put("bytesInFlight", Math.clamp(bytes, LIMIT_BYTES_MIN, LIMIT_BYTES_MAX));
      }
    }

    private static Optional<ObjectNode> compile(KeyRule rule) {
      KeysSpec keys = rule.keys();
      if (keys == null || rule.verbs().isEmpty()) {
        return Optional.empty();
      }
      boolean isPrefix = keys.prefix() != null;
      String text = isPrefix ? keys.prefix() : keys.exact();
      if (text == null
          || isPrefix == (keys.exact() != null)
          || (!isPrefix && text.isEmpty())
          || text.getBytes(StandardCharsets.UTF_8).length > KEY_BYTES_MAX) {
        return Optional.empty();
      }
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put(isPrefix ? "prefix" : "key", text);
      ArrayNode verbs = json.putArray("verbs");
      rule.verbs().stream().distinct().map(KeyVerb::label).forEach(verbs::add);
      return Optional.of(json);
    }

    /** The first one counts. */
    private <T> Optional<T> problem(String user, UserReason reason, String message) {
      problems.putIfAbsent(user, new UserNotice(reason, message));
      return Optional.empty();
    }
  }
}
