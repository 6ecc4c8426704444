package dev.kvorum.operator.resources;

import static java.util.Objects.requireNonNullElse;

import dev.kvorum.operator.api.KvorumClusterSpec;
import dev.kvorum.operator.api.Notice;
import dev.kvorum.operator.api.Quantities;
import dev.kvorum.operator.api.Reason;
import dev.kvorum.operator.api.ResourcesSpec;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Determines the resources of a member's container. By default, the memory request equals the
 * limit. There is no CPU limit unless the user sets one, because a throttled member slows the whole
 * cluster down.
 */
final class ContainerResources {
  private static final String MEMORY = "memory";
  private static final String CPU = "cpu";
  private static final Quantity CPU_DEFAULT = new Quantity("250m");

  private ContainerResources() {}

  private static ResourcesSpec said(KvorumClusterSpec spec) {
    return requireNonNullElse(spec.resources(), ResourcesSpec.NONE);
  }

  static ResourceRequirements of(KvorumClusterSpec spec) {
    ResourcesSpec said = said(spec);
    Map<String, Quantity> limits = Quantities.of(said.limits());
    Map<String, Quantity> requests = Quantities.of(said.requests());
    limits.putIfAbsent(MEMORY, new Quantity(MemoryBudget.LIMIT_DEFAULT));
    requests.putIfAbsent(MEMORY, limits.getOrDefault(MEMORY, CPU_DEFAULT));
    requests.putIfAbsent(CPU, CPU_DEFAULT);
    return new ResourceRequirementsBuilder().withLimits(limits).withRequests(requests).build();
  }

  static long memoryLimitBytes(KvorumClusterSpec spec) {
    Quantity limit = of(spec).getLimits().get(MEMORY);
    return limit == null ? 0 : Quantity.getAmountInBytes(limit).longValue();
  }

  static List<Notice> invalid(KvorumClusterSpec spec) {
    List<Notice> mistyped = new ArrayList<>();
    mistyped("resources.requests.", said(spec).requests(), mistyped);
    mistyped("resources.limits.", said(spec).limits(), mistyped);
    if (!mistyped.isEmpty()) {
      return mistyped;
    }
    return memoryLimitBytes(spec) >= MemoryBudget.LIMIT_MIN
        ? List.of()
        : List.of(
            new Notice(Reason.MEMORY_TOO_SMALL, "resources.limits.memory must be at least 512Mi"));
  }

  private static void mistyped(String where, Map<String, IntOrString> said, List<Notice> to) {
    new TreeMap<>(said)
        .forEach((name, value) -> {
          String text = Quantities.text(value);
          if (Quantities.read(text).isEmpty()) {
            to.add(
                new Notice(
                    Reason.INVALID_QUANTITY,
                    where + name + ": '" + text + "' is not a quantity such as 500m or 1Gi"));
          }
        });
  }

  /**
   * Returns the number of processors that the JVM assumes: the CPU request, rounded up, and at
   * least two.
   */
  static int processors(KvorumClusterSpec spec) {
    Quantity cpu = of(spec).getRequests().get(CPU);
    BigDecimal cores = cpu == null ? BigDecimal.TWO : Quantity.getAmountInBytes(cpu);
    return Math.max(2, cores.setScale(0, RoundingMode.CEILING).intValue());
  }
}
