package dev.kvorum.operator.certificates;

import dev.kvorum.operator.resources.Labels;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/**
 * The CAs that clients are told to trust, in the ConfigMap {@code C-ca}.
 *
 * @param since when they were told last, as far as known
 */
record Published(List<X509Certificate> authorities, Instant since) {
  /** When the contents of the ConfigMap have changed last. */
  private static final String SINCE = "kvorum.dev/published";

  /** Nothing. */
  static final Published NONE = new Published(List.of(), Instant.EPOCH);

  Published {
    authorities = List.copyOf(authorities);
  }

  /** Reads a ConfigMap; none are those that are damaged. */
  static Published read(ConfigMap map) {
    String file =
        map.getData() == null ? "" : map.getData().getOrDefault(Authorities.CERTIFICATE, "");
    return new Published(Authorities.certificates(file), since(map));
  }

  private static Instant since(ConfigMap map) {
    try {
      return Instant.parse(Labels.annotation(map.getMetadata(), SINCE).orElse(""));
    } catch (DateTimeException unknown) {
      return Instant.EPOCH;
    }
  }

  /** The same, if these are the CAs to trust, otherwise those from now on. */
  Published next(List<X509Certificate> trusted, Instant now) {
    return trusted.equals(authorities)
        ? this
        : new Published(trusted, now.truncatedTo(ChronoUnit.SECONDS));
  }

  Map<String, String> files() {
    return Map.of(Authorities.CERTIFICATE, Authorities.bundle(authorities));
  }

  /** Marks the ConfigMap that has these. */
  void mark(ConfigMap map) {
    map.getMetadata().getAnnotations().put(SINCE, since.toString());
  }
}
