package dev.kvorum.architecture;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Which package may import which. */
final class ImportLaw {
  static final String LOG = "org.slf4j..";
  static final String NETTY = "io.netty..";
  static final String OPEN_TELEMETRY = "io.opentelemetry..";
  private static final String REACTOR = "reactor.core..";

  /** Annotation of a setting's default, and type of a setting in bytes. */
  private static final String DEFAULTS = "org.springframework.boot.context.properties.bind";

  private static final String SIZES = "org.springframework.util.unit";

  /**
   * What each package may import besides itself and the JDK; {@code node} and {@code boot} import
   * any.
   */
  static final Map<String, List<String>> BY_PACKAGE =
      Map.ofEntries(
          Map.entry("data", law("")),
          Map.entry(
              "auth", law("auth.serviceaccount data settings", LOG, DEFAULTS, "tools.jackson..")),
          Map.entry("auth.serviceaccount", law("", LOG, "io.fabric8..", "com.nimbusds..")),
          Map.entry("audit", law("auth data settings", LOG, DEFAULTS, SIZES, "tools.jackson..")),
          Map.entry(
              "security",
              law(
                  "settings",
                  LOG,
                  NETTY,
                  DEFAULTS,
                  "javax.naming..",
                  "javax.net.ssl..",
                  "javax.security..")),
          Map.entry("topology", law("")),
          Map.entry("settings", law("")),
          Map.entry("files", law("")),
          Map.entry(
              "backup",
              law(
                  "backup.archive backup.manifest backup.objectstore files settings storage.engine",
                  LOG,
                  DEFAULTS,
                  SIZES)),
          Map.entry("backup.archive", law("backup.manifest backup.objectstore files")),
          Map.entry("backup.comparison", law("backup cli data", "tools.jackson..")),
          Map.entry("backup.manifest", law("files placement topology", "tools.jackson..")),
          Map.entry(
              "backup.restore",
              law(
                  "backup.archive backup.manifest backup.objectstore background data placement replica storage storage.engine storage.salvage topology",
                  LOG)),
          Map.entry(
              "backup.tool",
              law(
                  "background backup backup.archive backup.comparison backup.manifest backup.objectstore cli config data files storage storage.engine storage.salvage topology",
                  "picocli..",
                  "tools.jackson..")),
          Map.entry(
              "backup.objectstore",
              law("files", "javax.crypto..", "javax.net.ssl..", "software.amazon.awssdk..")),
          Map.entry("cli", law("", "javax.net.ssl..", "picocli..", "tools.jackson..")),
          Map.entry("deadlines", law("")),
          Map.entry("metrics", law("", "io.micrometer..")),
          Map.entry("tracing", law("settings", OPEN_TELEMETRY, DEFAULTS)),
          Map.entry("placement", law("data placement.table topology", "com.dynatrace.hash4j..")),
          Map.entry("placement.table", law("", "com.dynatrace.hash4j..")),
          Map.entry("membership", law("files topology", LOG, "io.fabric8..")),
          Map.entry("storage", law("data topology", LOG)),
          Map.entry(
              "storage.engine",
              law(
                  "data topology storage settings",
                  LOG,
                  DEFAULTS,
                  SIZES,
                  "org.jctools..",
                  "com.dynatrace.hash4j..")),
          Map.entry(
              "storage.replace",
              law("files storage storage.engine storage.rocks storage.salvage", LOG)),
          Map.entry("storage.rocks", law("data files storage.engine", LOG, "org.rocksdb..")),
          Map.entry(
              "storage.salvage",
              law("data files storage storage.engine storage.rocks", LOG, "org.rocksdb..")),
          Map.entry("replica", law("data deadlines topology storage tracing", LOG)),
          Map.entry(
              "rpc",
              law(
                  "data topology storage replica metrics security tracing settings",
                  LOG,
                  NETTY,
                  DEFAULTS,
                  SIZES)),
          Map.entry(
              "coordinator",
              law(
                  "data deadlines topology placement storage replica metrics tracing settings",
                  LOG,
                  REACTOR,
                  DEFAULTS,
                  SIZES)),
          Map.entry(
              "hints",
              law(
                  "background data topology placement storage replica metrics settings",
                  LOG,
                  DEFAULTS,
                  SIZES)),
          Map.entry("background", law("data topology placement storage replica rpc metrics", LOG)),
          Map.entry(
              "rebalance",
              law(
                  "data topology placement storage replica background metrics settings",
                  LOG,
                  DEFAULTS,
                  SIZES)),
          Map.entry(
              "repair",
              law(
                  "data topology placement storage replica background repair.antientropy repair.rebuild repair.state",
                  LOG)),
          Map.entry(
              "repair.antientropy",
              law(
                  "data topology placement storage replica background metrics repair.state",
                  LOG,
                  "com.dynatrace.hash4j..")),
          Map.entry(
              "repair.rebuild",
              law(
                  "data topology placement storage replica background repair.salvage repair.state",
                  LOG)),
          Map.entry(
              "repair.salvage",
              law("data topology placement storage replica background repair.state", LOG)),
          Map.entry(
              "repair.state",
              law("data topology storage replica background settings", LOG, DEFAULTS, SIZES)),
          Map.entry(
              "http",
              law(
                  "audit auth auth.serviceaccount data deadlines topology coordinator metrics security tracing http.connection http.request http.problem",
                  LOG,
                  NETTY,
                  "reactor..",
                  "org.reactivestreams..",
                  "org.springframework..",
                  "com.netflix.concurrency..")),
          Map.entry(
              "http.connection",
              law(
                  "deadlines security http.request http.problem",
                  LOG,
                  NETTY,
                  "reactor..",
                  "org.springframework..")),
          Map.entry(
              "http.request",
              law(
                  "data deadlines coordinator http.problem",
                  NETTY,
                  "reactor..",
                  "org.reactivestreams..")),
          Map.entry("http.problem", law("data topology coordinator", NETTY, "tools.jackson..")),
          Map.entry(
              "console",
              law(
                  "topology placement",
                  NETTY,
                  "reactor..",
                  "org.reactivestreams..",
                  "org.springframework..")),
          Map.entry(
              "config",
              law(
                  "audit auth auth.serviceaccount backup backup.manifest data topology tracing storage storage.engine rpc coordinator hints repair.state rebalance membership http http.connection security settings",
                  LOG,
                  "org.springframework..")));

  private ImportLaw() {}

  /** Names of this node's packages, and patterns of libraries' packages. */
  private static List<String> law(String packages, String... libraries) {
    Stream<String> own = Stream.of(packages.split(" ")).filter(part -> !part.isEmpty());
    return Stream.concat(own.map(ImportLawTest::name), Stream.of(libraries)).toList();
  }
}
