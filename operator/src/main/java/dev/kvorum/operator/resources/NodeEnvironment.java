package dev.kvorum.operator.resources;

import dev.kvorum.operator.api.BackupSpec;
import dev.kvorum.operator.api.KvorumCluster;
import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.SecurityProfile;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Builds the environment variables of a node: the operator's part and the user's settings. */
final class NodeEnvironment {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9.-]{0,199}");

  /**
   * Settings that the operator sets, in the form in which Spring compares names: lower-case letters
   * and digits.
   */
  private static final Set<String> TAKEN =
      Set.of(
          "kvorumnodename",
          "kvorumnodezone",
          "serverport",
          "managementserverport",
          "kvorumrpcport",
          "kvorumdatadir",
          "kvorumstoragedurability",
          "kvorumstoragememory",
          "kvorumtlsdir",
          "kvorumauthfile");

  private static final Set<String> TAKEN_PREFIXES = Set.of("kvorumcluster", "kvorumkubernetes");

  /** The setting with the id of the cluster. */
  static final String CLUSTER_ID = "kvorum.cluster.id";

  /** Where the certificates are mounted. */
  static final String CERTIFICATES = "/etc/kvorum/tls";

  /** Settings that need certificates, in the same form. */
  private static final Set<String> OF_TLS =
      Set.of("kvorumtlshttp", "kvorumtlspeer", "kvorumtlsmanagement");

  /** Settings that say where backups go, in the same form. */
  private static final Set<String> OF_BACKUPS =
      Set.of("kvorumbackupstores", "kvorumbackupsecretsdir");

  /** The variable with the JVM's flags, to which a setting may add others. */
  private static final String JAVA_OPTIONS = "JDK_JAVA_OPTIONS";

  private NodeEnvironment() {}

  /** Returns why the settings of a spec are not valid; empty if they are. */
  static List<Notice> invalid(KvorumClusterSpec spec) {
    List<Notice> notices = new ArrayList<>();
    new TreeMap<>(spec.settings())
        .forEach((key, text) -> {
          String why = objection(key, text, spec);
          if (!why.isEmpty()) {
            notices.add(new Notice(Reason.INVALID_SETTINGS, "settings: '" + key + "' " + why));
          }
        });
    return notices;
  }

  private static String objection(String key, String text, KvorumClusterSpec spec) {
    String plain = key.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    if (!NAME.matcher(key).matches()) {
      return "is not a name such as kvorum.limits.request-timeout (lower-case letters, digits,"
          + " dots, dashes)";
    }
    if (TAKEN.contains(plain) || TAKEN_PREFIXES.stream().anyMatch(plain::startsWith)) {
      return "is set by the operator itself";
    }
    if (variable(key).equals(JAVA_OPTIONS)) {
      return MemoryBudget.conflict(text)
          .map(flag -> "must not contain " + flag + ": the operator or the image sets it")
          .orElse("");
    }
    if (OF_BACKUPS.contains(plain) && spec.backup() != null) {
      return "follows spec.backup";
    }
    if (plain.equals("kvorumtlsclientauth")
        && !text.equalsIgnoreCase("none")
        && spec.security().secret().isEmpty()) {
      return "needs security.certificates.secretRef: the operator issues no clients-ca.crt";
    }
    boolean byProfile = spec.security().profile() != SecurityProfile.OPEN;
    if (plain.equals("kvorumauthanonymous") && text.equalsIgnoreCase("none") && !byProfile) {
      return "needs the security.profile standard or strict: without users nobody would be served";
    }
    // An unquoted `off` is false in YAML 1.1; Spring takes it for off too.
    boolean isOff = text.equalsIgnoreCase("off") || text.equals("false");
    if (plain.equals("kvorumauthserviceaccounts") && !isOff && !byProfile) {
      return "needs the security.profile standard or strict: without users no ServiceAccount could"
          + " be one";
    }
    boolean ofManagement = plain.equals("kvorumtlsmanagement");
    if (OF_TLS.contains(plain) && !ofManagement && byProfile) {
      return "follows security.profile, which is not open";
    }
    if (ofManagement && TlsMode.of(text) == TlsMode.OFF && spec.servesOnlyUsers()) {
      return "must not be off where only users are served: the operator shows its token only by TLS";
    }
    if (!OF_TLS.contains(plain) || isOff) {
      return "";
    }
    if (!byProfile && spec.security().secret().isEmpty()) {
      return "needs security.certificates.secretRef, or the security.profile standard or strict";
    }
    return "";
  }

  /**
   * Returns the variable of a setting: {@code KVORUM_LIMITS_REQUESTTIMEOUT} for {@code
   * kvorum.limits.request-timeout}.
   */
  static String variable(String setting) {
    return setting.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT);
  }

  /** The value of a setting of the node in a pod; empty if it is not set. */
  static String value(PodSpec pod, String setting) {
    String variable = variable(setting);
    return pod.getContainers().stream()
        .filter(container -> container.getName().equals(PodTemplates.CONTAINER))
        .flatMap(container -> container.getEnv().stream())
        .filter(value -> value.getName().equals(variable) && value.getValue() != null)
        .findFirst()
        .map(EnvVar::getValue)
        .orElse("");
  }

  static List<EnvVar> of(
      KvorumCluster cluster, Operand operand, MemoryBudget budget, int processors) {
    KvorumClusterSpec spec = cluster.getSpec();
    List<EnvVar> environment = new ArrayList<>();
    environment.add(field("KVORUM_NODE_NAME", "metadata.name"));
    environment.add(field("KVORUM_KUBERNETES_NAMESPACE", "metadata.namespace"));
    environment.add(value("KVORUM_KUBERNETES_TOPOLOGY", cluster.getMetadata().getName()));
    environment.add(value(variable(CLUSTER_ID), operand.clusterId()));
    environment.add(value("KVORUM_CLUSTER_REPLICATION", spec.replication().toString()));
    environment.add(value("KVORUM_DATA_DIR", "/data"));
    environment.add(value("KVORUM_STORAGE_DURABILITY", spec.durability().setting()));
    environment.add(value("KVORUM_STORAGE_MEMORY", budget.storeSetting()));
    environment.add(value(JAVA_OPTIONS, javaOptions(spec, budget.javaOptions(processors))));
    // Otherwise each of RocksDB's threads would fill an arena of glibc's.
    environment.add(value("MALLOC_ARENA_MAX", "2"));
    if (!operand.tls().secret().isEmpty()) {
      environment.add(value("KVORUM_TLS_DIR", CERTIFICATES));
    }
    if (operand.haveUsers()) {
      environment.add(value("KVORUM_AUTH_FILE", UserFileNames.PATH));
    }
    BackupSpec backup = spec.backup();
    if (backup != null) {
      environment.add(value(variable(BackupStore.STORES), BackupStore.url(backup)));
      if (BackupStore.hasSecrets(backup)) {
        environment.add(value(variable(BackupStore.SECRETS_DIR), BackupStore.SECRETS));
      }
    }
    Map<String, String> settings = new TreeMap<>();
    settings.put("logging.structured.format.console", "ecs");
    settings.putAll(spec.settings());
    // So that a node does not start with one that it does not know.
    String names = spec.settings().keySet().stream().sorted().collect(Collectors.joining(","));
    if (!names.isEmpty()) {
      environment.add(value("KVORUM_SPEC_SETTINGS", names));
    }
    settings.keySet().removeIf(key -> variable(key).equals(JAVA_OPTIONS));
    if (operand.tls().mode() != TlsMode.OFF || settings.containsKey(PeerTls.SETTING)) {
      settings.put(PeerTls.SETTING, operand.tls().mode().setting());
    }
    clients(cluster, operand.tls())
        .ifPresent(mode -> settings.put("kvorum.tls.http", mode.setting()));
    // Also without the file: a node that does not start is better than one that serves everyone.
    if (!operand.tls().isOff() && spec.needsUsers()) {
      settings.putIfAbsent(UserFileNames.ANONYMOUS, spec.anonymous());
    }
    if (!operand.haveUsers()) {
      // Without the file a node does not start with it, and takes no tokens anyway.
      String accounts = variable(UserFileNames.SERVICE_ACCOUNTS);
      settings.keySet().removeIf(key -> variable(key).equals(accounts));
    } else if (spec.serviceAccounts().isEmpty()) {
      settings.put(UserFileNames.SERVICE_ACCOUNTS, UserFileNames.SERVICE_ACCOUNTS_DEFAULT);
    }
    ManagementPort.mode(cluster, operand.tls())
        .ifPresent(mode -> settings.put(ManagementPort.SETTING, mode));
    settings.forEach((key, text) -> environment.add(value(variable(key), text)));
    return environment;
  }

  /** The flags of the memory budget, and those that the spec adds. */
  private static String javaOptions(KvorumClusterSpec spec, String ofBudget) {
    return Stream.concat(
            Stream.of(ofBudget),
            new TreeMap<>(spec.settings())
                .entrySet().stream()
                    .filter(it -> variable(it.getKey()).equals(JAVA_OPTIONS))
                    .map(it -> it.getValue().strip()))
        .collect(Collectors.joining(" "));
  }

  /** TLS towards clients, if it follows the profile; both forms while members change. */
  private static Optional<TlsMode> clients(KvorumCluster cluster, PeerTls tls) {
    if (!tls.equals(PeerTls.wanted(cluster))) {
      boolean isSaid = cluster.getSpec().settings().containsKey("kvorum.tls.http");
      return isSaid || tls.secret().isEmpty() ? Optional.empty() : Optional.of(TlsMode.PERMISSIVE);
    }
    return switch (cluster.getSpec().security().profile()) {
      case OPEN -> Optional.empty();
      case STANDARD -> Optional.of(TlsMode.PERMISSIVE);
      case STRICT -> Optional.of(TlsMode.REQUIRED);
    };
  }

  private static EnvVar value(String name, String value) {
    return new EnvVarBuilder().withName(name).withValue(value).build();
  }

  private static EnvVar field(String name, String path) {
    return new EnvVarBuilder()
        .withName(name)
        .withNewValueFrom()
        .withNewFieldRef()
        .withApiVersion("v1")
        .withFieldPath(path)
        .endFieldRef()
        .endValueFrom()
        .build();
  }
}
