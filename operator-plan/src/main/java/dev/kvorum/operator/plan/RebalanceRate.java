package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.KvorumClusterSpec;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rate at which members send what others gain, {@code kvorum.rebalance.rate-max}. */
final class RebalanceRate {
  private static final long BY_DEFAULT = 64L << 20;
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})(b|kb|mb|gb|tb)?");
  private static final Map<String, Integer> SHIFTS =
      Map.of("b", 0, "kb", 10, "mb", 20, "gb", 30, "tb", 40);

  private RebalanceRate() {}

  /** Returns the rate in a spec, or the default where it has none that nodes would accept. */
  static long bytesPerSecond(KvorumClusterSpec spec) {
    // Nodes ignore dashes in names, and case.
    return spec.settings().entrySet().stream()
        .filter(it -> it.getKey().replace("-", "").equalsIgnoreCase("kvorum.rebalance.ratemax"))
        .mapToLong(it -> bytes(it.getValue()))
        .findFirst()
        .orElse(BY_DEFAULT);
  }

  private static long bytes(String text) {
    Matcher size = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!size.matches()) {
      return BY_DEFAULT;
    }
    String unit = size.group(2) == null ? "b" : size.group(2);
    long bytes = Long.parseLong(size.group(1)) << SHIFTS.getOrDefault(unit, 0);
    return bytes > 0 ? bytes : BY_DEFAULT;
  }
}
